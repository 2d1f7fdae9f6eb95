// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing

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
