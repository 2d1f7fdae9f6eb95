// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing

/// The sentence that completes an epoch.
@Suite(.timeLimit(.generous)) struct CycleEndTests {
    @Test
    func `a cycle ender is learned after two cycles, and sentences that add nothing do not count`()
    {
        var bench = Bench()
        for cycle in Cycle.run(5) {
            bench.send(cycle.rmc(), cycle.gga(), cycle.gsa(), cycle.gsv(), cycle.gll(), cycle.zda())
        }
        // Two fixes at the next epoch's first sentence, then with GSA, the third of six sentences.
        #expect(bench.moments == [7, 13, 15, 21, 27])
    }

    @Test func `a second GSA contributes and can be the cycle ender`() {
        var bench = Bench()
        for cycle in Cycle.run(4) {
            bench.send(
                cycle.gga(), cycle.gsa(3, "05,07,13,14,,,,,,,,"), cycle.gsa(3, "65,66,,,,,,,,,,"))
        }
        #expect(bench.moments == [4, 7, 9, 12])
        #expect(bench.fixes.allSatisfy { $0.satellitesUsed == 8 })
    }

    @Test(arguments: 1...5)
    func `a decoder that waits for the next epoch loses nothing of a sentence that is missing`(
        _ missing: Int
    ) {
        var decoder = NMEADecoder()
        decoder.learnsCycles = false
        var bench = Bench(decoder)
        for (index, cycle) in Cycle.run(12).enumerated() {
            bench.send(cycle.rmc(), cycle.gga())
            if !(4..<4 + missing).contains(index) { bench.send(cycle.gsa()) }
        }
        bench.finish()
        let missed = bench.fixes.indices.filter { bench.fixes[$0].dilution.pdop == nil }
        #expect(missed == Array(4..<4 + missing))
    }

    @Test func `two times per cycle have two cycle enders`() {
        var bench = Bench()
        for second in stride(from: 20, to: 36, by: 2) {
            let (odd, even) = (Cycle("1015\(second + 1).00"), Cycle("1015\(second).00"))
            bench.send(even.rmc(), even.gga(), odd.gll())
        }
        bench.finish()
        #expect(bench.fixes.count == 16)
        #expect(bench.moments.suffix(4) == [20, 21, 23, 24])
    }

    @Test
    func `without its cycle ender a fix is reported at the next epoch, and the ender is dropped`() {
        var bench = Bench()
        let cycles = Cycle.run(8)
        for cycle in cycles[..<3] { bench.send(cycle.rmc(), cycle.gga(), cycle.gsa()) }
        #expect(bench.moments == [4, 7, 9])
        for cycle in cycles[3...] { bench.send(cycle.rmc(), cycle.gga()) }
        bench.finish()
        #expect(bench.moments == [4, 7, 9, 12, 14, 15, 17, 19])
        #expect(bench.fixes.count == 8)
    }

    @Test func `a late contribution is not reported, and the second time becomes the cycle ender`()
    {
        var bench = Bench()
        let cycles = Cycle.run(7)
        for cycle in cycles[..<3] { bench.send(cycle.rmc(), cycle.gga()) }
        for cycle in cycles[3...] { bench.send(cycle.rmc(), cycle.gga(), cycle.gsa()) }
        #expect(bench.fixes.count == 7)
        #expect(bench.moments == [3, 5, 6, 8, 11, 15, 18])
        #expect(bench.fixes.map(\.dilution.pdop) == [nil, nil, nil, nil, nil, 1.9, 1.9])
    }

    @Test func `sentences sent twice a second belong to the fix of their time`() {
        var bench = Bench()
        for tenth in 0..<50 {
            let cycle = Cycle("1015\(20 + tenth / 10).\(tenth % 10)0")
            bench.send(cycle.gga())
            if tenth.isMultiple(of: 5) { bench.send(cycle.rmc()) }
        }
        bench.finish()
        #expect(bench.fixes.count == 50)
        // After two seconds, the later ends at whole and half seconds are learned.
        let speeds = bench.fixes.suffix(30).map(\.speed)
        #expect(
            speeds.map { $0 != nil } == speeds.indices.map { $0.isMultiple(of: 5) })
        // The sentences of the third half second, 2.5, are the 31st and the 32nd.
        #expect(Array(bench.moments[24...26]) == [30, 32, 33])
    }

    @Test func `sentences sent once and twice a second belong to the fix of their time`() {
        var bench = Bench()
        for tenth in 0..<50 {
            let cycle = Cycle("1015\(20 + tenth / 10).\(tenth % 10)0")
            bench.send(cycle.gga())
            if tenth.isMultiple(of: 5) { bench.send(cycle.rmc()) }
            if tenth.isMultiple(of: 10) { bench.send(cycle.gsa()) }
        }
        bench.finish()
        #expect(bench.fixes.count == 50)
        let fixes = bench.fixes.suffix(30)
        #expect(fixes.map { $0.speed != nil } == (0..<30).map { $0.isMultiple(of: 5) })
        #expect(fixes.map { $0.dilution.pdop != nil } == (0..<30).map { $0.isMultiple(of: 10) })
    }

    @Test(arguments: [0, 3])
    func `after a missing sentence, later sentences still belong to their fixes`(tenth: Int) {
        var bench = Bench()
        for epoch in 0..<80 {
            let cycle = Cycle("1015\(20 + epoch / 10).\(epoch % 10)0")
            bench.send(cycle.gga())
            if epoch % 10 == tenth, epoch / 10 != 4 { bench.send(cycle.rmc()) }
        }
        bench.finish()
        #expect(bench.fixes.count == 80)
        let fast = bench.fixes.indices.filter { bench.fixes[$0].speed != nil }
        #expect(Array(fast.suffix(3)) == [50, 60, 70].map { $0 + tenth })
    }

    @Test func `late ends that alternate belong to the fixes of their times`() {
        var bench = Bench()
        for epoch in 0..<80 {
            let cycle = Cycle("1015\(20 + epoch / 5).\(epoch % 5 * 2 + 1)0")
            bench.send(cycle.rmc())
            if epoch % 5 == 0 { bench.send(cycle.gga()) }
            if epoch % 10 == 0 { bench.send(cycle.gsa()) }
        }
        bench.finish()
        #expect(bench.fixes.count == 80)
        let fixes = bench.fixes.enumerated().dropFirst(15)
        #expect(fixes.allSatisfy { ($1.altitude != nil) == $0.isMultiple(of: 5) })
        #expect(fixes.allSatisfy { ($1.dilution.pdop != nil) == $0.isMultiple(of: 10) })
    }

    @Test func `sentences that are sent every few seconds belong to the fix of their time`() {
        var bench = Bench()
        let cycles = Cycle.run(40)
        for (index, cycle) in cycles[..<16].enumerated() {
            bench.send(cycle.rmc())
            if index % 4 == 3 { bench.send(cycle.gga(), cycle.gsa()) }
        }
        for cycle in cycles[16...] { bench.send(cycle.rmc()) }
        #expect(bench.fixes.count == 40)
        // The first two times, the fix was already reported when they came.
        let complete = bench.fixes.indices.filter { bench.fixes[$0].altitude != nil }
        #expect(complete == [11, 15])
        #expect(complete.allSatisfy { bench.fixes[$0].dilution.pdop == 1.9 })
        // After twenty cycles with the same end, that is learned again.
        #expect(bench.moments.last == bench.sentences)
    }

    @Test func `a position after the cycle ender is not lost if the one before it is missing`() {
        var bench = Bench()
        for (index, cycle) in Cycle.run(6).enumerated() {
            bench.send(cycle.zda(), cycle.gsa(), index == 4 ? "" : cycle.gga())
            bench.send(line("GPGBS,\(cycle.clock),1.4,1.2,2.9,,,,"), cycle.gll())
        }
        bench.finish()
        #expect(bench.fixes.count == 6)
        #expect(bench.fixes.allSatisfy { $0.coordinate != nil })
        // With all sentences, GBS ends the cycle.
        #expect(bench.moments == [6, 11, 14, 19, 25, 28])
    }

    @Test(arguments: ["GP", "II"])
    func `a fix is not lost after a cold start if a device without one sends first`(
        talker: String
    ) {
        var bench = Bench()
        for (index, cycle) in Cycle.run(12).enumerated() {
            let void = "RMC,\(cycle.clock),V,,,,,,,210326,,,N"
            let fix = "RMC,\(cycle.clock),A,4812.5,N,01622.42,E,10.0,90.0,210326,,,A"
            bench.send(line("AI" + void), line(talker + (index < 5 ? void : fix)))
        }
        bench.finish()
        let modes: [FixMode] =
            Array(repeating: .noFix, count: 5) + Array(repeating: .twoD, count: 7)
        #expect(bench.fixes.map(\.mode) == modes)
    }

    @Test func `reopening the port resets the cycle ender`() {
        var bench = Bench()
        for cycle in Cycle.run(3) { bench.send(cycle.rmc(), cycle.gga()) }
        bench.restart()
        for cycle in Cycle.run(3, from: 40) { bench.send(cycle.rmc(), cycle.gga()) }
        #expect(bench.moments == [3, 5, 6, 9, 11, 12])
    }

    @Test(arguments: [2, 3])
    func `three missing cycle enders in a row reset all of them`(misses: Int) {
        var bench = Bench()
        func openers(_ second: Int) -> [String] {
            let cycles = Cycle.run(4, from: second)
            let gns = line("GNGNS,\(cycles[3].clock),4812.5,N,01622.42,E,AA,09,1.0,171.4,43.1,,")
            return [cycles[0].rmc(), cycles[1].gga(), cycles[2].gll(), gns]
        }
        let gsa = Cycle("").gsa()
        for round in 0..<3 {
            for opener in openers(20 + 4 * round) { bench.send(opener, gsa) }
        }
        #expect(bench.moments.suffix(4) == [18, 20, 22, 24])
        for (index, opener) in openers(40).enumerated() {
            bench.send(opener)
            if index >= misses { bench.send(gsa) }
        }
        // The fourth is reported with its own cycle ender, unless that is also reset.
        #expect(bench.fixes.count == (misses == 3 ? 15 : 16))
        bench.finish()
        #expect(bench.fixes.count == 16)
    }

    @Test func `silence on a live line ends an epoch`() {
        var bench = Bench()
        let cycle = Cycle("101520.00")
        bench.send(cycle.rmc(), cycle.gga())
        #expect(bench.fixes.isEmpty)
        #expect(bench.silenceTolerance == .milliseconds(200))
        bench.silence()
        #expect(bench.fixes.count == 1)
        #expect(bench.silenceTolerance == nil)
        bench.silence()
        bench.send(cycle.gsa())
        bench.finish()
        #expect(bench.fixes.count == 1)
    }

    @Test func `the silence that ends an epoch is a fifth of the period, at least 30 ms`() {
        var bench = Bench()
        for tenth in 0..<4 { bench.send(Cycle("101520.\(tenth)0").rmc()) }
        bench.send(Cycle("101520.40").gga())
        #expect(bench.silenceTolerance == .milliseconds(30))
    }

    @Test func `the end of the input reports the pending fix`() {
        var bench = Bench()
        bench.send(Cycle("101520.00").rmc())
        bench.finish()
        bench.finish()
        #expect(bench.fixes.count == 1)
    }
}

/// The sentences of a receiver for one time, for tests of the assembly.
struct Cycle {
    var clock = "101520.00"
    var date = "210326"

    init(_ clock: String, date: String = "210326") {
        self.clock = clock
        self.date = date
    }

    func rmc(
        _ status: String = "A", mode: String = "A", speed: String = "10.0", course: String = "90.0"
    ) -> String {
        line(
            "GPRMC,\(clock),\(status),4812.50000,N,01622.42000,E,\(speed),\(course),\(date),,,"
                + mode)
    }

    func gga(_ talker: String = "GP", quality: Int = 1, satellites: String = "08") -> String {
        line(
            "\(talker)GGA,\(clock),4812.50000,N,01622.42000,E,\(quality),\(satellites),1.0,"
                + "171.4,M,43.1,M,,")
    }

    func gll(_ status: String = "A") -> String {
        line("GPGLL,4812.50000,N,01622.42000,E,\(clock),\(status),A")
    }

    func zda() -> String { line("GPZDA,\(clock),21,03,2026,00,00") }

    func gsa(_ dimensions: Int = 3, _ satellites: String = "05,07,13,14,,,,,,,,") -> String {
        line("GPGSA,A,\(dimensions),\(satellites),1.9,1.0,1.6")
    }

    func gsv(_ number: Int = 5) -> String { line("GPGSV,1,1,01,\(number),62,286,44") }

    func vtg() -> String { line("GPVTG,90.0,T,,M,10.0,N,18.5,K,A") }

    /// The times of a run of epochs: `count` from 10:15:`second` on.
    static func run(_ count: Int, from second: Int = 20) -> [Cycle] {
        (second..<second + count).map { Cycle("1015\($0).00") }
    }
}

/// A decoder that records its fixes, each with the number of the sentence that completed it.
struct Bench {
    private var decoder = NMEADecoder()
    private(set) var fixes: [Fix] = []
    private(set) var sentences = 0
    /// For each fix, the number of the sentence that completed it, from 1.
    private(set) var moments: [Int] = []

    init(_ decoder: NMEADecoder = NMEADecoder()) {
        self.decoder = decoder
    }

    var statistics: Statistics { decoder.statistics }

    /// Sends whole sentences.
    mutating func send(_ text: String...) {
        for line in text.joined().split(separator: "\r\n") {
            sentences += 1
            take { $0.push("\(line)\r\n".bytes.span, $1) }
        }
    }

    mutating func silence() { take { $0.silence($1) } }
    mutating func restart() { take { $0.restart($1) } }
    mutating func finish() { take { $0.finish($1) } }

    var silenceTolerance: Duration? { decoder.silenceTolerance }

    private mutating func take(_ step: (inout NMEADecoder, (DecoderEvent) -> Void) -> Void) {
        var new: [Fix] = []
        step(&decoder) { if case .fix(let fix, _) = $0 { new.append(fix) } }
        fixes += new
        moments += new.map { _ in sentences }
    }
}

/// The sentences that contribute to a fix: one rule for every property, as stated in `Epoch`.
///
/// The properties are enumerated by reflection, and the sentences are the specimens of the types'
/// documentation, so that new properties and sentences are tested automatically.
@Suite(.timeLimit(.generous)) struct ContributionTests {
    private static let specimens: [String] =
        knownSentences.compactMap { try? SentenceFiles.specimen(of: $0) } + [
            // Fields that most receivers leave empty.
            line("GNGGA,101520.00,4812.50000,N,01622.42000,E,2,12,0.70,171.4,M,43.1,M,1.5,0120"),
            line("GNVTG,54.31,T,50.12,M,1.234,N,2.285,K,D"),
            line("GNRMC,101520.00,A,4812.50000,N,01622.42000,E,1.234,54.31,210326,4.2,E,D,V"),
        ]

    /// The first sentence of a cycle.
    private static func opening(_ second: Int) -> String {
        line("GPGLL,4812.50000,N,01622.42000,E,1015\(20 + second).00,A,A")
    }

    /// A specimen as a talker would send it a number of seconds later.
    private static func sentence(
        _ specimen: String, _ second: Int, talker: String = "GN"
    ) -> String {
        var body = String(specimen.dropFirst().prefix { $0 != "*" })
        // Proprietary sentences and KSXT have no talker.
        if !body.hasPrefix("P"), !body.hasPrefix("KSXT") { body = talker + body.dropFirst(2) }
        return line(body.replacing("101520.00", with: "1015\(20 + second).00"))
    }

    private func fix(of sentences: String...) -> Fix {
        var bench = Bench()
        for sentence in sentences { bench.send(sentence) }
        bench.finish()
        return bench.fixes.first ?? Fix()
    }

    /// The known properties, including those of accuracies and DOPs.
    private func known(_ value: Any, _ prefix: String = "") -> Set<String> {
        var names: Set<String> = []
        for child in Mirror(reflecting: value).children {
            let name = prefix + (child.label ?? "").drop { $0 == "_" }
            let mirror = Mirror(reflecting: child.value)
            switch mirror.displayStyle {
            case .optional: if !mirror.children.isEmpty { names.insert(name) }
            case .struct: names.formUnion(known(child.value, name + "."))
            default: break
            }
        }
        return names
    }

    @Test func `each property of a fix is set by a sentence`() {
        // These follow from the date and the times, the lists of satellites and the evidence.
        var set: Set = [
            "receivedDate", "followsRepeatedTimes", "satellitesInView", "mode", "quality",
        ]
        // Only UBX reports these; see UBXFixTests and InterferenceTests.
        set.formUnion([
            "covariance", "velocityCovariance", "protectionLevel", "jamming", "spoofing",
            "interferenceLevel", "correctionSource", "jammedFrequency", "gain", "receiverClock",
            "leapSeconds", "antenna", "temperature", "receiverAuthentication",
            "solutionDetails",
            // No message contains these values: a session examines the fixes.
            "authentication", "integrity", "vote", "isStationary",
            // From NAV-RELPOSNED, and from what sends corrections.
            "correctionReport",
            // From other devices, which do not end a cycle; see InstrumentTests.
            "instruments",
        ])
        for specimen in Self.specimens {
            let properties = known(fix(of: Self.opening(0), specimen))
            set.formUnion(properties.map { String($0.prefix { $0 != "." }) })
        }
        let all = Mirror(reflecting: Fix()).children.compactMap(\.label)
        #expect(Set(all).subtracting(set) == [])
    }

    @Test(arguments: specimens)
    func `the cycle ends with a sentence that adds a property`(specimen: String) {
        let before = known(fix(of: Self.opening(0)))
        // The date carries over from one epoch to the next.
        // So does the datum.
        let news = known(fix(of: Self.opening(0), specimen))
            .subtracting(before.union(["time", "solutionDetails"]))
        guard !news.isEmpty else { return }
        var bench = Bench()
        for second in 0..<5 {
            bench.send(Self.opening(second), Self.sentence(specimen, second))
        }
        #expect(bench.moments == [3, 5, 6, 8, 10], "\(news)")
        #expect(bench.fixes.allSatisfy { news.isSubset(of: known($0)) }, "\(news)")
    }

    // A proprietary sentence does not identify its device.
    @Test(arguments: specimens.filter { !$0.hasPrefix("$P") && !$0.hasPrefix("$KSXT") })
    func `a sentence of another device after a cycle does not end it`(specimen: String) {
        var bench = Bench()
        for second in 0..<5 {
            bench.send(Self.opening(second), Self.sentence(specimen, second, talker: "II"))
        }
        // The cycle ender is known from the third cycle on, and is the only sentence of the cycle.
        #expect(bench.moments == [3, 5, 5, 7, 9])
    }
}
