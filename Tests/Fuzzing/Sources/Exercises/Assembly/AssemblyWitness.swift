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
