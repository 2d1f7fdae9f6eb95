// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing

@Suite(.timeLimit(.generous)) struct AttitudeTests {
    private let gga = Cycle("101520.00").gga()

    private func attitude(_ bodies: String...) -> Attitude {
        decode(gga + bodies.map { line($0) }.joined()).fix.attitude
    }

    @Test func `a compass gives the true heading`() {
        #expect(attitude("HEHDT,123.4,T").heading == 123.4)
        #expect(attitude("GNTHS,217.45,A").heading == 217.45)
        #expect(attitude("GNTHS,217.45,V") == Attitude())
    }

    @Test func `a missing true heading is calculated from the magnetic heading and the variation`()
    {
        let alone = attitude("HCHDG,98.0,1.5,W,4.5,E")
        #expect(alone.magneticHeading == 96.5)
        #expect(alone.heading == 101)
        #expect(attitude("HCHDG,98.0,,,,").heading == nil)
        #expect(attitude("HEHDT,123.4,T", "HCHDG,98.0,1.5,W,4.5,E").heading == 123.4)
        #expect(attitude("HCHDM,238.5,M").magneticHeading == 238.5)
    }

    @Test func `angles of an inertial unit belong only to the fix of the same time`() {
        let pashr = "305.30,T,-0.05,1.13,0.02,0.066,0.067,0.215,2,1"
        let attitude = attitude("PASHR,101520.00,\(pashr)")
        #expect(attitude.heading == 305.3)
        #expect(attitude.roll == -0.05)
        #expect(attitude.pitch == 1.13)
        #expect(attitude.heave == 0.02)
        #expect(self.attitude("PASHR,101520.05,\(pashr)") == Attitude())
    }

    @Test
    func `angles that an inertial unit sends before the fix with the same time belong to that fix`()
    {
        var bench = Bench()
        for (index, cycle) in Cycle.run(4).enumerated() {
            bench.send(
                line("GPGST,\(cycle.clock),12,1.9,1.3,21.0,1.8,1.4,3.1"),
                line("PASHR,\(cycle.clock),305.30,T,-0.05,1.1\(index),0.02,0.066,0.067,0.215,2,1"),
                cycle.gga(), cycle.rmc())
        }
        bench.finish()
        #expect(bench.fixes.map(\.attitude.pitch) == [1.1, 1.11, 1.12, 1.13])
        #expect(bench.fixes.allSatisfy { $0.attitude.heading == 305.3 })
        #expect(bench.fixes.allSatisfy { $0.attitude.headingAccuracy == 0.215 })
        #expect(bench.fixes.allSatisfy { $0.standardDeviation.latitude == 1.8 })
    }

    @Test func `the rate of turn is in degrees per second`() {
        #expect(attitude("TIROT,-36.0,A").rateOfTurn == -0.6)
        #expect(attitude("TIROT,-36.0,V") == Attitude())
    }

    @Test func `an attitude does not need a position`() {
        let fix = decode(line("GPRMC,101520.00,V,,,,,,,210326,,,N") + line("HEHDT,123.4,T")).fix
        #expect(fix.mode == .noFix)
        #expect(fix.attitude.heading == 123.4)
    }

    @Test func `an asynchronous compass does not end a cycle`() {
        var bench = Bench()
        let compass = line("HCHDG,98.0,1.5,W,4.5,E")
        for cycle in Cycle.run(3) { bench.send(cycle.gga(), cycle.rmc(), compass) }
        for cycle in Cycle.run(3, from: 23) { bench.send(cycle.gga(), compass, cycle.rmc()) }
        bench.finish()
        #expect(bench.fixes.map(\.speed).allSatisfy { $0 != nil })
        #expect(bench.moments == [4, 7, 8, 12, 15, 18])
    }

    /// A receiver whose cycles end with RMC, and a compass that reports 10°, 20°… after each.
    private func headings(_ cycles: [Cycle], _ compass: (Int) -> String) -> [Double?] {
        var bench = Bench()
        for (index, cycle) in cycles.enumerated() {
            bench.send(cycle.gga(), cycle.rmc(), compass(index))
        }
        bench.finish()
        return bench.fixes.map(\.attitude.heading)
    }

    @Test func `a heading between two cycles belongs to the next fix`() {
        let headings = headings(Cycle.run(5)) { line("HEHDT,\($0 + 1)0.0,T") }
        // The cycle ender is not known before the third cycle.
        #expect(headings == [10, 20, nil, 30, 40])
    }

    @Test func `a heading belongs only to the next fix`() {
        let headings = headings(Cycle.run(6)) { $0 == 3 ? line("HEHDT,40.0,T") : "" }
        #expect(headings == [nil, nil, nil, nil, 40, nil])
    }

    @Test func `a heading within a cycle takes precedence over one between cycles`() {
        var bench = Bench()
        for (index, cycle) in Cycle.run(5).enumerated() {
            bench.send(cycle.gga())
            if index == 4 { bench.send(line("HEHDT,99.0,T")) }
            bench.send(cycle.rmc(), line("HEHDT,\(index)1.0,T"), line("HEHDT,\(index)2.0,T"))
        }
        bench.finish()
        #expect(bench.fixes.suffix(2).map(\.attitude.heading) == [22, 99])
    }

    @Test func `a heading does not carry over a gap`() {
        let cycles = Cycle.run(4) + Cycle.run(2, from: 50)
        let headings = headings(cycles) { $0 == 3 ? line("HEHDT,40.0,T") : "" }
        #expect(headings.allSatisfy { $0 == nil })
    }

    // MARK: One time

    @Test func `both headings of a fast compass are from the same sentence`() {
        let attitude = attitude(
            "HCHDG,98.0,,,4.5,E", "HCHDG,99.0,,,4.5,E", "HCHDG,110.0,,,4.5,E")
        #expect(attitude.magneticHeading == 110)
        #expect(attitude.heading == 114.5)
        // A magnetic heading alone is from the same compass, whose variation is known.
        let both = self.attitude("HCHDG,98.0,,,4.5,E", "HCHDM,99.0,M")
        #expect(both.magneticHeading == 99)
        #expect(both.heading == 103.5)
    }

    @Test func `the first of several magnetic headings is reported with a true heading`() {
        let slow = attitude("HEHDT,100.0,T", "HCHDG,98.0,,,4.5,E", "HCHDG,99.0,,,4.5,E")
        #expect(slow.heading == 100)
        #expect(slow.magneticHeading == 98)
        let fast = attitude(
            "HEHDT,100.0,T", "HCHDG,98.0,,,4.5,E", "HEHDT,120.0,T", "HCHDG,118.0,,,4.5,E")
        #expect(fast.heading == 120)
        #expect(fast.magneticHeading == 118)
    }

    @Test func `a heading sent between two cycles is not combined with a heading of the cycle`() {
        var bench = Bench()
        for (index, cycle) in Cycle.run(5).enumerated() {
            bench.send(cycle.gga())
            if index == 4 { bench.send(line("HCHDM,90.0,M")) }
            bench.send(cycle.rmc(), line("HCHDG,\(index)1.0,,,4.5,E"))
        }
        bench.finish()
        #expect(bench.fixes.suffix(2).map(\.attitude.magneticHeading) == [21, 90])
        #expect(bench.fixes.suffix(2).map(\.attitude.heading) == [25.5, nil])
    }

    // MARK: Without a receiver

    private let autopilot = [
        "APXDR,A,0.135,D,PTCH", "APXDR,A,3.861,D,ROLL", "APHDM,218.634,M", "APROT,0.6,A",
    ]

    @Test func `an autopilot without a receiver gives an attitude for each time`() {
        let decoded = decode((0..<3).map { _ in autopilot.map { line($0) }.joined() }.joined())
        #expect(decoded.fixes.count == 3)
        for fix in decoded.fixes {
            #expect(fix.isAttitudeOnly)
            #expect(fix.attitude.pitch == 0.135)
            #expect(fix.attitude.roll == 3.861)
            #expect(fix.attitude.magneticHeading == 218.634)
            #expect(fix.attitude.rateOfTurn == 0.01)
        }
    }

    @Test func `after two equal cycles the third is reported with its last sentence`() {
        var bench = Bench()
        for _ in 0..<4 { for sentence in autopilot { bench.send(line(sentence)) } }
        #expect(bench.moments == [5, 9, 12, 16])
        bench.send(line(autopilot[0]))
        #expect(bench.fixes.count == 4)
        #expect(bench.silenceTolerance != nil)
        bench.silence()
        #expect(bench.fixes.count == 5)
        #expect(bench.silenceTolerance == nil)
    }

    @Test
    func `a compass alone is reported per sentence, a true heading with a magnetic one`() {
        let compass = (1...4).map { line("HCHDG,\($0)0.0,,,4.5,E") }.joined()
        #expect(decode(compass).fixes.map(\.attitude.heading) == [14.5, 24.5, 34.5, 44.5])
        let two = (1...4).map { line("HCHDG,\($0)0.0,,,4.5,E") + line("HCHDT,\($0)5.0,T") }.joined()
        #expect(decode(two).fixes.map(\.attitude.heading) == [15, 25, 35, 45])
        #expect(decode(two).fixes.map(\.attitude.magneticHeading) == [10, 20, 30, 40])
    }

    /// The sentence of an inertial unit, with the second as a tenth of the pitch.
    private func pashr(_ second: Int) -> String {
        line("PASHR,1015\(second).00,305.30,T,-0.05,\(second / 10).\(second % 10),0.02,,,0.215,2,1")
    }

    @Test func `an inertial unit alone is reported per sentence`() {
        var bench = Bench()
        for second in 20..<23 { bench.send(pashr(second)) }
        bench.silence()
        bench.send(pashr(23))
        bench.silence()
        bench.finish()
        #expect(bench.fixes.map(\.attitude.pitch) == [2, 2.1, 2.2, 2.3])
        #expect(bench.fixes.allSatisfy { $0.isAttitudeOnly && $0.attitude.heading == 305.3 })
        #expect(bench.fixes.allSatisfy { $0.attitude.headingAccuracy == 0.215 })
    }

    @Test func `from the first sentence of a receiver on, an inertial unit's time counts`() {
        var bench = Bench()
        bench.send(pashr(18), pashr(19))
        for (index, cycle) in Cycle.run(3).enumerated() {
            bench.send(pashr(20 + index), cycle.gga(), cycle.rmc(), pashr(50))
        }
        bench.finish()
        // The third attitude was complete before the receiver's first sentence.
        #expect(bench.fixes.count { $0.isAttitudeOnly } == 3)
        #expect(bench.fixes.suffix(3).map(\.attitude.pitch) == [nil, 2.1, 2.2])
    }

    @Test func `from the first sentence of a receiver on, attitudes belong to its fixes`() {
        let compass = (1...3).map { line("HCHDG,\($0)0.0,,,,") }.joined()
        let fixes = decode(
            compass + Cycle.run(4).map { $0.gga() + $0.rmc() + compass }.joined()
        ).fixes
        #expect(fixes.count { $0.isAttitudeOnly } == 3)
        #expect(fixes.count { $0.mode == .threeD } == 4)
    }

    @Test func `an impossible angle is in a different unit than stated`() {
        #expect(attitude("HCXDR,A,180,D,PITCH,A,-39,D,ROLL") == Attitude())
        #expect(attitude("HCXDR,A,-3.5,D,PITCH,A,39,D,ROLL").pitch == -3.5)
        #expect(attitude("IIXDR,C,19.5,C,AIR,A,-2.4,V,ROLL") == Attitude())
    }
}

/// Depth, wind and other values of instruments on the line of a receiver.
@Suite(.timeLimit(.generous)) struct InstrumentTests {
    private let gga = Cycle("101520.00").gga()

    private func values(_ bodies: String...) -> [Instruments.Quantity: Double] {
        let fix = decode(bodies.map { line($0) }.joined() + gga).fix
        return Dictionary(uniqueKeysWithValues: fix.instruments.known.map { ($0, $1) })
    }

    @Test func `the depth is measured from the transducer`() {
        #expect(values("SDDPT,7.9,-1.2,50.0") == [.depth: 7.9, .depthOffset: -1.2])
        #expect(values("SDDBT,16.4,f,5.0,M,2.7,F") == [.depth: 5])
        #expect(values("SDDPT,,,") == [:])
        #expect(values("SDDPT,-1.0,0.5", "SDDBT,-3.3,f,-1.0,M,-0.5,F") == [:])
    }

    @Test func `the depth below the keel or the surface gives the offset unless DPT has one`() {
        #expect(
            values("SDDBT,,f,5.0,M,,F", "SDDBK,,f,3.5,M,,F") == [.depth: 5, .depthOffset: -1.5])
        #expect(
            values("SDDPT,5.0,0.5", "SDDBK,,f,3.5,M,,F") == [.depth: 5, .depthOffset: 0.5])
        #expect(values("SDDBT,,f,5.0,M,,F", "SDDBS,,f,5.5,M,,F") == [.depth: 5, .depthOffset: 0.5])
        #expect(
            values("SDDBK,,f,3.5,M,,F", "SDDBT,,f,5.0,M,,F") == [.depth: 5, .depthOffset: -1.5])
        #expect(values("SDDBS,,f,5.5,M,,F", "SDDBT,,f,5.0,M,,F") == [.depth: 5, .depthOffset: 0.5])
        #expect(values("SDDBK,,f,3.5,M,,F", "SDDPT,5.0,0.5") == [.depth: 5, .depthOffset: 0.5])
        #expect(values("SDDBK,,f,3.5,M,,F", "SDDPT,5.0,") == [.depth: 5, .depthOffset: -1.5])
        #expect(values("SDDBK,,f,3.5,M,,F", "SDDBS,,f,5.5,M,,F") == [:])
    }

    @Test func `the wind is apparent, true from the bow, or true from north`() {
        #expect(
            values("WIMWV,214.8,R,36.0,K,A", "WIMWV,90.0,T,7.0,M,A")
                == [
                    .apparentWindAngle: 214.8, .apparentWindSpeed: 10, .trueWindAngle: 90,
                    .trueWindSpeed: 7,
                ])
        #expect(
            values("WIMWD,302.5,T,299.0,M,14.2,N,7.3,M")
                == [
                    .trueWindDirection: 302.5, .magneticWindDirection: 299, .trueWindSpeed: 7.3,
                ])
        #expect(values("WIMWV,214.8,R,10.1,N,V") == [:])
        #expect(
            values("WIVWR,30.0,L,,N,,M,36.0,K")
                == [.apparentWindAngle: 330, .apparentWindSpeed: 10])
        #expect(
            values("WIVWT,30.0,L,,N,,M,36.0,K") == [.trueWindAngle: 330, .trueWindSpeed: 10])
    }

    @Test func `water, log, rudder and engines have their units`() {
        #expect(
            values("YXMTW,17.5,C", "VWVLW,2.0,N,0.5,N", "IIRSA,-10.5,A,,V")
                == [.waterTemperature: 17.5, .log: 3704, .tripLog: 926, .rudder: -10.5])
        #expect(values("VWVHW,,T,,M,,N,36.0,K")[.waterSpeed] == 10)
        #expect(
            values("IIRPM,E,1,2418.2,10.5,A", "IIRPM,E,2,2400,,A", "IIRPM,E,3,9,,A")
                == [.engineSpeed: 2418.2, .portEngineSpeed: 2400])
        #expect(values("IIRPM,E,1,9,,V", "IIRPM,S,1,9,,A", "IIRSA,1,V,,V") == [:])
    }

    @Test func `an invalid value removes the one before it`() {
        #expect(
            values("WIMWV,214.8,R,10.1,N,A", "WIMWV,90.0,T,7.0,M,A", "WIMWV,,R,,N,V")
                == [.trueWindAngle: 90, .trueWindSpeed: 7])
        #expect(values("IIRSA,-10.5,A,,", "IIRSA,,V,,", "IIRPM,E,1,9,,A", "IIRPM,E,1,,,V") == [:])
        #expect(values("IIRSA,,V,,", "IIRSA,-10.5,A,,") == [.rudder: -10.5])
    }

    @Test func `an invalid MWV removes the true wind speed of MWV and VWT, but not that of MWD`() {
        let directions: [Instruments.Quantity: Double] = [
            .trueWindDirection: 302.5, .magneticWindDirection: 299,
        ]
        let (mwd, invalid) = ("WIMWD,302.5,T,299.0,M,14.2,N,7.3,M", "WIMWV,,T,,N,V")
        #expect(
            values("WIMWV,90.0,T,7.0,M,A", mwd, invalid)
                == directions.merging([.trueWindSpeed: 7.3]) { $1 })
        #expect(values(mwd, "WIMWV,90.0,T,7.0,M,A", invalid) == directions)
        #expect(values(mwd, "WIVWT,30.0,L,,N,,M,36.0,K", invalid) == directions)
    }

    @Test func `an invalid MWV does not remove the speed that MWD sent before the previous fix`() {
        var bench = Bench()
        for (index, cycle) in Cycle.run(6).enumerated() {
            bench.send(cycle.gga(), cycle.rmc())
            bench.send(line(index % 2 == 0 ? "WIMWD,302.5,T,,M,14.2,N,7.3,M" : "WIMWV,,T,,N,V"))
        }
        bench.finish()
        let invalid = bench.fixes.map(\.instruments.invalid)
        #expect(invalid.contains { $0 == [.trueWindAngle] })
        #expect(!invalid.contains { $0.contains(.trueWindSpeed) })
    }

    /// A receiver whose cycles end with RMC, and a sounder that sends `sentence` after each.
    private func depths(_ cycles: [Cycle], _ sentence: (Int) -> String) -> [Double?] {
        var bench = Bench()
        for (index, cycle) in cycles.enumerated() {
            bench.send(cycle.gga(), cycle.rmc(), sentence(index))
        }
        bench.finish()
        return bench.fixes.map { $0.instruments[.depth] }
    }

    @Test func `values of every cycle are in every fix, also while the end of a cycle is learned`()
    {
        // The first two fixes are reported after the value that follows them.
        let depths = depths(Cycle.run(6)) { line("SDDPT,\($0).0,") }
        #expect(depths == [0, 1, 1, 2, 3, 4])
    }

    @Test func `a value belongs only to the next fix`() {
        let depths = depths(Cycle.run(6)) { $0 == 3 ? line("SDDPT,4.0,") : "" }
        #expect(depths == [nil, nil, nil, nil, 4, nil])
    }

    @Test func `a depth below the keel is not combined with a depth after the next fix`() {
        var bench = Bench()
        for (index, cycle) in Cycle.run(6).enumerated() {
            bench.send(cycle.gga(), cycle.rmc())
            bench.send(line(index % 2 == 0 ? "SDDBK,,f,3.5,M,,F" : "SDDBT,,f,5.0,M,,F"))
        }
        bench.finish()
        #expect(bench.fixes.contains { $0.instruments[.depth] == 5 })
        #expect(bench.fixes.allSatisfy { $0.instruments[.depthOffset] == nil })
    }

    @Test func `a value is not carried over a gap`() {
        let cycles = Cycle.run(4) + Cycle.run(2, from: 50)
        #expect(depths(cycles) { $0 == 3 ? line("SDDPT,4.0,") : "" }.allSatisfy { $0 == nil })
    }

    @Test func `a value from before the receiver's first sentence does not outlast a silence`() {
        var bench = Bench()
        bench.send(line("SDDPT,4.0,"))
        #expect(bench.silenceTolerance != nil)
        bench.silence()
        #expect(bench.silenceTolerance == nil)
        bench.send(line("YXMTW,17.5,C"), gga)
        bench.finish()
        #expect(bench.fixes.map { $0.instruments.known.map(\.quantity) } == [[.waterTemperature]])
    }

    @Test func `a depth below the keel from before a silence gives no offset`() {
        var bench = Bench()
        bench.send(line("SDDBK,,f,3.5,M,,F"))
        bench.silence()
        bench.send(line("SDDBT,,f,5.0,M,,F"), gga)
        bench.finish()
        #expect(bench.fixes.map { $0.instruments.known.map(\.quantity) } == [[.depth]])
    }

    @Test(arguments: ["SD", "GP"])
    func `an instrument does not end or delay a cycle, regardless of its talker`(_ talker: String) {
        var bench = Bench()
        let sounder = line("\(talker)DPT,4.0,")
        for cycle in Cycle.run(3) { bench.send(cycle.gga(), cycle.rmc(), sounder) }
        for cycle in Cycle.run(3, from: 23) { bench.send(cycle.gga(), sounder, cycle.rmc()) }
        bench.finish()
        #expect(bench.fixes.map(\.speed).allSatisfy { $0 != nil })
        #expect(bench.moments == [4, 7, 8, 12, 15, 18])
        #expect(bench.fixes.suffix(2).map { $0.instruments[.depth] } == [4, 4])
    }
}
