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
