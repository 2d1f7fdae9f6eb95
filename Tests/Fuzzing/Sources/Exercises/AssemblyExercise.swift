// SPDX-License-Identifier: MIT
import GNSS
import NMEA

/// Compares the fixes and views of an assembler with what the receiver has sent.
struct AssemblyWitness {
    private var decoder = NMEADecoder()
    private var fixes: [Fix] = []
    private var views: [SatelliteView] = []
    /// The times of the last fixes: as many as the assembler stores.
    private var times: [(time: TimeOfDay, date: UTCTime?)] = []
    /// The range of the dates reported since the port was opened, in days since 1970.
    private var reportedDays: ClosedRange<Int>?
    private var moves = 0
    private var lists: [String: (total: Int, next: Int, ids: [SatelliteID])] = [:]
    /// The talker under which the last part was stored.
    private var lastTalker = ""
    private var complete: Set<SatelliteID> = []

    init() {
        decoder.register(Opener.self)
        decoder.register(Untimed.self)
    }

    // MARK: In

    mutating func note(_ date: CalendarDate?) {
        guard let day = date?.daysSince1970 else { return }
        let known = reportedDays ?? day...day
        reportedDays = min(day, known.lowerBound)...max(day, known.upperBound)
    }

    /// Assembles the lists independently of the assembler.
    mutating func note(_ part: ListPart) {
        // Some receivers number the parts across talkers. Each list of this exercise has as many
        // satellites in view as the others with the same number of parts.
        func continues(_ talker: String) -> Bool {
            guard part.part > 1, let list = lists[talker] else { return false }
            return list.next == part.part && list.total == part.total
        }
        if !continues(lastTalker) || continues(part.talker) { lastTalker = part.talker }
        guard part.part >= 1, part.part <= part.total else { return }
        var list = lists[lastTalker] ?? (0, 1, [])
        if part.part == 1 { list = (part.total, 1, []) }
        guard list.next == part.part, list.total == part.total else {
            lists[lastTalker] = nil
            return
        }
        list.ids += part.ids
        list.next += 1
        lists[lastTalker] = list
        guard part.part == part.total else { return }
        lists[lastTalker] = nil
        complete.formUnion(list.ids)
    }

    mutating func push(_ bytes: [UInt8]) throws(Broken) {
        try take { $0.push(bytes.span, $1) }
    }

    mutating func silence() throws(Broken) {
        try take { $0.silence($1) }
        try expect(decoder.silenceTolerance == nil, "silence awaited after silence")
        try expectNothing("a second silence") { $0.silence($1) }
    }

    mutating func restart() throws(Broken) {
        try take { $0.restart($1) }
        reportedDays = nil
        times = []
        moves = 0
    }

    mutating func finish() throws(Broken) {
        try take { $0.finish($1) }
        try expectNothing("a second end") { $0.finish($1) }
    }

    // MARK: Out

    private mutating func expectNothing(
        _ what: String, _ step: (inout NMEADecoder, (DecoderEvent) -> Void) -> Void
    ) throws(Broken) {
        let count = fixes.count + views.count
        try take(step)
        try expect(fixes.count + views.count == count, "\(what) gives something")
    }

    private mutating func take(
        _ step: (inout NMEADecoder, (DecoderEvent) -> Void) -> Void
    ) throws(Broken) {
        var new: [Fix] = []
        var newViews: [SatelliteView] = []
        step(&decoder) { event in
            switch event {
            case .fix(let fix, let view):
                new.append(fix)
                newViews.append(view)
            case .satellites(let view): newViews.append(view)
            default: break
            }
        }
        for fix in new { try check(fix) }
        for view in newViews { try check(view) }
        if let tolerance = decoder.silenceTolerance {
            try expect(tolerance >= .milliseconds(30), "silence after \(tolerance)")
        }
        fixes += new
        views += newViews
    }

    private mutating func check(_ fix: Fix) throws(Broken) {
        try fix.check()
        moves += 1
        if let time = fix.timeOfDay {
            let twin = times.first { other in
                guard abs(time.nanoseconds(since: other.time)) < 10_000_000 else { return false }
                guard let now = fix.time, let then = other.date else { return true }
                // Half a day: the same time on another day is another instant.
                return abs(now.unixNanoseconds - then.unixNanoseconds) < 43_200_000_000_000
            }
            try expect(twin == nil, "\(time) was published as \(twin as Any)")
            times = times.suffix(3) + [(time: time, date: fix.time)]
        }
        guard let day = fix.time?.date.daysSince1970 else { return }
        guard let reportedDays else {
            throw Broken("no sentence reported the date of \(fix.time as Any)")
        }
        let likely = reportedDays.lowerBound - 1 - moves...reportedDays.upperBound + 1 + moves
        try expect(likely ~= day, "\(fix.time as Any) is far from every reported date")
    }

    private func check(_ view: SatelliteView) throws(Broken) {
        try view.check()
        let invented = view.signals.first { !complete.contains($0.id) }
        try expect(invented == nil, "\(invented as Any) was in no whole list")
    }
}

/// A user's sentence that opens an epoch.
private struct Opener: Sentence {
    static let formatter: SentenceFormatter = "OPN"
    var time: TimeOfDay?
    init(_ fields: inout FieldReader) { time = fields.time() }
    func encode(into writer: inout SentenceWriter) { writer.time(time) }
    var timing: EpochTiming { .opens(time) }
    func contribute(to epoch: inout Epoch) {
        epoch.fill(\.coordinate, Coordinate(latitude: 1, longitude: 2))
        epoch.reportFix()
    }
}

/// A user's sentence without a time.
private struct Untimed: Sentence {
    static let formatter: SentenceFormatter = "UNT"
    var altitude: Double?
    init(_ fields: inout FieldReader) { altitude = fields.decimal() }
    func encode(into writer: inout SentenceWriter) { writer.decimal(altitude, decimals: 1) }
    func contribute(to epoch: inout Epoch) { epoch.replace(\.altitude, altitude) }
}

extension Exercise {
    /// A receiver that sends any sentences in any order. No instant is delivered twice, every date
    /// was reported by a sentence, and every list of satellites was received completely.
    package static let assembly = Exercise(name: "assembly") { input throws(Broken) in
        var source = ByteSource(input)
        var receiver = InventedReceiver()
        var witness = AssemblyWitness()
        var steps = 0
        while !source.isEmpty, steps < 1000 {
            steps += 1
            switch source.number(below: 24) {
            case 0: try witness.silence()
            case 1: try witness.restart()
            case 2...5: receiver.wait(&source)
            case 6: receiver.changeDate(&source)
            case 7...9:
                let part = receiver.listPart(&source)
                witness.note(part)
                try witness.push(part.sentence)
            default:
                let sentence = receiver.sentence(&source)
                if sentence.reportsDate { witness.note(receiver.date) }
                try witness.push(sentence.text)
            }
        }
        try witness.finish()
    }
}

/// A receiver with a clock and satellites. The input bytes determine what it sends.
struct InventedReceiver {
    private(set) var date = CalendarDate(daysSince1970: 20_000)
    /// Milliseconds since midnight.
    private var clock = 86_390_000

    /// Templates of its sentences: `%t` is the time, `%d` and `%D` the date, `%p` a position, `%n` a number.
    private static let templates = [
        "GPRMC,%t,A,%p,10.0,%n,%d,,,A", "GPRMC,%t,V,,,,,,,%d,,,N", "GNRMC,%t,A,%p,,,,,,A",
        "GPRMC,,V,,,,,,,%d,,,N", "GPGGA,%t,%p,1,%n,1.0,%n.5,M,43.1,M,,",
        "GNGGA,%t,%p,4,12,0.6,%n.25,M,,M,1,7", "GPGGA,%t,,,,,0,00,99.9,,,,,,",
        "GPGLL,%p,%t,A,A", "GPGLL,,,,,%t,V,N", "GPZDA,%t,%D,00,00",
        "GNGNS,%t,%p,AN,%n,0.9,%n,43,,,V",
        "GPGSA,A,3,05,07,13,14,,,,,,,,,1.9,1.0,1.6", "GPGSA,A,2,%n,,,,,,,,,,,,1.9,1.0,1.6",
        "GPGSA,A,1,,,,,,,,,,,,,,,", "GNGSA,A,3,%n,%n,,,,,,,,,,,1.9,1.0,1.6,%n",
        "GPVTG,%n,T,,M,10.0,N,18.5,K,A", "GPGST,%t,1,2,3,4,5.0,6.0,7.0", "GPGBS,%t,1.0,2.0,3.0,,,,",
        "PGRMZ,%n,f,3", "PGRME,15.0,M,45.0,M,25.0,M",
        "PUBX,00,%t,%p,546.6,G3,2.1,2.0,0.007,77.5,0.007,,0.92,1.19,0.77,9,0,0",
        "XXOPN,%t,%n", "XXUNT,%n",
    ]

    mutating func wait(_ source: inout ByteSource) {
        let steps = [100, 1000, 1000, 5, 20, 40, 999, -1000, -100, 3_600_000, 43_200_000, 9_990]
        clock = (clock + source.pick(steps) + 86_400_000) % 86_400_000
        if source.byte() == 7 { clock = 86_400_000 + Int(source.byte()) }
    }

    mutating func changeDate(_ source: inout ByteSource) {
        let days = Int(source.byte()) << 8 | Int(source.byte())
        // From 1980 to 2079, the range of a year with two digits.
        date = CalendarDate(daysSince1970: 3652 + days % 36_500)
    }

    /// Returns a completed template, and whether it contains the date.
    mutating func sentence(_ source: inout ByteSource) -> (text: [UInt8], reportsDate: Bool) {
        let template = source.pick(Self.templates)
        var body = ""
        var isPlaceholder = false
        for character in template {
            if isPlaceholder {
                body += filled(character, &source)
                isPlaceholder = false
            } else if character == "%" {
                isPlaceholder = true
            } else {
                body.append(character)
            }
        }
        return (sealed(body), template.contains("%d") || template.contains("%D"))
    }

    private func filled(_ placeholder: Character, _ source: inout ByteSource) -> String {
        switch placeholder {
        case "t": time
        case "d": date.map { padded($0.day) + padded($0.month) + padded($0.year % 100) } ?? ""
        case "D": date.map { "\(padded($0.day)),\(padded($0.month)),\($0.year)" } ?? ",,"
        case "p":
            "\(padded(source.number(below: 100)))\(padded(source.number(below: 64))).5,"
                + "\(source.pick(["N", "S", "N", "X"])),"
                + "\(100 + source.number(below: 90))\(padded(source.number(below: 62))).25,"
                + source.pick(["E", "W"])
        default: "\(source.byte())"
        }
    }

    private var time: String {
        // 86,400,000 and more is the leap second.
        let isLeap = clock >= 86_400_000
        let seconds = clock / 1000 - (isLeap ? 1 : 0)
        let second = seconds % 60 + (isLeap ? 1 : 0)
        let clock = padded(seconds / 3600) + padded(seconds / 60 % 60) + padded(second)
        return "\(clock).\(padded(self.clock % 1000, 3))"
    }

    /// A part of a list of satellites, right or wrong, of three talkers.
    mutating func listPart(_ source: inout ByteSource) -> ListPart {
        let (talker, constellation, offset) = source.pick(Self.talkers)
        let total = 1 + source.number(below: 4)
        let part = source.number(below: 5)
        var body = "\(talker)GSV,\(total),\(part),\(total * 4)"
        var ids: [SatelliteID] = []
        for _ in 0..<source.number(below: 5) {
            let number = 1 + source.number(below: 24)
            body += ",\(number + offset),45,\(source.byte()),\(source.number(below: 60))"
            if let id = SatelliteID(constellation, number) { ids.append(id) }
        }
        let signal = source.number(below: 8)
        if signal > 0 { body += ",\(signal)" }
        return ListPart(talker: talker, total: total, part: part, ids: ids, sentence: sealed(body))
    }

    private static let talkers: [(String, Constellation, offset: Int)] = [
        ("GP", .gps, 0), ("GA", .galileo, 0), ("GL", .glonass, 64),
    ]
}

/// A part of a list of satellites.
struct ListPart {
    var talker: String
    var total: Int
    var part: Int
    var ids: [SatelliteID]
    var sentence: [UInt8]
}

/// A whole sentence around a body.
func sealed(_ body: String) -> [UInt8] {
    let sum = body.utf8.reduce(0, ^)
    let digits = String(sum, radix: 16, uppercase: true)
    return Array("$\(body)*\(sum < 16 ? "0" : "")\(digits)\r\n".utf8)
}

private func padded(_ number: Int, _ width: Int = 2) -> String {
    let digits = "\(number)"
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
}
