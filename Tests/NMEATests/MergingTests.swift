// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing

/// The combination of the sentences of one epoch.
@Suite(.timeLimit(.generous)) struct MergingTests {
    private let cycle = Cycle("101520.00")

    // MARK: Empty fields

    @Test func `empty fields do not erase known values`() {
        let bare = line("GNGNS,101520.00,,,,,AN,,,,,,")
        let decoded = decode(
            cycle.rmc() + cycle.gga() + cycle.gsa() + line("GPVTG,,T,,M,,N,,K,A") + bare)
        #expect(decoded.fix.coordinate?.latitude == 48 + 12.5 / 60)
        #expect(decoded.fix.altitude == 171.4)
        #expect(decoded.fix.course == 90)
        #expect(decoded.fix.dilution.hdop == 1)
    }

    @Test func `malformed fields do not erase known values`() {
        let bad = line("GPGGA,101520.00,48x2.5,N,01622.42,E,1,08,x,1e5,M,4.3.1,M,,")
        let decoded = decode(cycle.rmc() + bad)
        #expect(decoded.fix.coordinate != nil)
        #expect(decoded.statistics.fieldErrors == 4)
    }

    @Test func `values of an epoch do not carry over to the next`() {
        let decoded = decode(cycle.rmc() + cycle.gga() + Cycle("101521.00").gga())
        #expect(decoded.fixes.last?.speed == nil)
        #expect(decoded.fixes.last?.time != nil)
    }

    // MARK: Dimensions

    @Test func `RMC alone is two-dimensional`() {
        #expect(decode(cycle.rmc()).fix.mode == .twoD)
    }

    @Test func `RMC after an altitude is three-dimensional`() {
        #expect(decode(cycle.gga(satellites: "03") + cycle.rmc()).fix.mode == .threeD)
    }

    @Test func `RMC after four satellites is three-dimensional, after three it is not`() {
        let four = cycle.gsa(1, "05,07,13,14,,,,,,,,")
        let three = cycle.gsa(1, "05,07,13,,,,,,,,,")
        #expect(decode(four + cycle.rmc()).fix.mode == .threeD)
        #expect(decode(three + cycle.rmc()).fix.mode == .twoD)
    }

    @Test func `RMC after a three-dimensional epoch is three-dimensional`() {
        let decoded = decode(cycle.gga() + Cycle("101521.00").rmc())
        #expect(decoded.fixes.map(\.mode) == [.threeD, .threeD])
    }

    @Test
    func `a GSA of two dimensions overrides a three-dimensional previous epoch`() {
        let next = Cycle("101521.00")
        let decoded = decode(cycle.gga() + next.rmc() + next.gga(satellites: "03") + next.gsa(2))
        #expect(decoded.fixes.map(\.mode) == [.threeD, .twoD])
    }

    @Test func `GGA needs an altitude and four satellites for three dimensions`() {
        #expect(decode(cycle.gga(satellites: "04")).fix.mode == .threeD)
        #expect(decode(cycle.gga(satellites: "03")).fix.mode == .twoD)
    }

    @Test func `dimensions only increase within an epoch`() {
        #expect(decode(cycle.gga() + cycle.gsa(2)).fix.mode == .threeD)
        #expect(decode(cycle.gga(satellites: "03") + cycle.gsa(3)).fix.mode == .threeD)
    }

    // MARK: Evidence

    @Test(arguments: ["GP", "GN"])
    func `fewer than three satellites are not evidence of a fix, but position and height are kept`(
        talker: String
    ) {
        #expect(decode(cycle.gga(talker, satellites: "02")).fix.mode == .noFix)
        let confirmed = decode(cycle.gga(talker, satellites: "02") + cycle.rmc()).fix
        #expect(confirmed.mode == .threeD)
        #expect(confirmed.altitude == 171.4)
    }

    @Test func `a GGA of one constellation may count few satellites`() {
        #expect(decode(cycle.gga("GL", satellites: "02")).fix.mode == .twoD)
    }

    @Test(arguments: [6, 7, 8])
    func `a fix that is not from satellites needs none`(quality: Int) {
        #expect(decode(cycle.gga(quality: quality, satellites: "00")).fix.mode == .twoD)
    }

    @Test func `a void sentence takes precedence over all others`() {
        let voids = [
            cycle.rmc("V"), cycle.rmc("A", mode: "N"), cycle.gll("V"), cycle.gga(quality: 0),
            line("GNGNS,101520.00,4812.5,N,01622.42,E,NN,00,,,,,"),
        ]
        for void in voids {
            let decoded = decode(cycle.gga("GN") + cycle.gsa(3) + void)
            #expect(decoded.fix.mode == .noFix)
            #expect(decoded.fix.coordinate == nil)
            #expect(decoded.fix.timeOfDay != nil)
        }
    }

    @Test(arguments: ["GP", "GN"])
    func `a constellation without a fix does not void the combined fix`(_ talker: String) {
        let voids = [
            cycle.gga("GL", quality: 0), line("GARMC,101520.00,V,,,,,,,210326,,,N"),
            line("GBGLL,,,,,101520.00,V,N"),
        ]
        for void in voids {
            #expect(decode(cycle.gga(talker) + void).fix.mode == .threeD)
            #expect(decode(void + cycle.gga(talker)).fix.mode == .threeD)
            #expect(decode(void + cycle.gga("GQ") + cycle.gsa(3)).fix.mode == .threeD)
            #expect(decode(void + cycle.gsa(3)).fix.mode == .noFix)
            #expect(decode(cycle.gga("GL") + void + cycle.rmc("V")).fix.mode == .noFix)
        }
    }

    @Test(arguments: ["GP", "GN"])
    func `another device without a fix does not void the fix of a satellite receiver`(
        _ talker: String
    ) {
        let voids = [
            line("AIRMC,,V,,,,,,,,,,N"), line("IIRMC,101520,V,,,,,,,210326,,"),
            line("AIGGA,,,,,,0,00,99.99,,,,,,"), line("ECGLL,,,,,101520.00,V,N"),
        ]
        for void in voids {
            #expect(decode(cycle.gga(talker) + void).fix.mode == .threeD)
            #expect(decode(void + cycle.gga(talker)).fix.mode == .threeD)
            #expect(decode(cycle.gga("II") + void + cycle.rmc("V")).fix.mode == .noFix)
        }
    }

    @Test func `a device without a fix does not void the fix of another device`() {
        let solution = line(
            "PUBX,00,101520.00,4812.5,N,01622.42,E,214.5,G3,2.1,3.0,0.0,77.5,0.0,,0.9,1.2,0.8,9,0,0"
        )
        for void in [
            line("AIRMC,,V,,,,,,,,,,N"), line("AIRMC,101520,V,,,,,,,210326,,,N"),
            line("ECGLL,,,,,101520.00,V,N"),
        ] {
            for fix in [cycle.gga("II"), cycle.gga("GL"), solution] {
                #expect(decode(fix + void).fix.mode == .threeD)
                #expect(decode(void + fix).fix.mode == .threeD)
            }
        }
    }

    @Test(arguments: ["II", "GL"])
    func `a report of no fix voids a fix with the same talker`(talker: String) {
        let void = line("\(talker)RMC,101520.00,V,,,,,,,210326,,,N")
        #expect(decode(cycle.gga(talker) + void).fix.mode == .noFix)
        #expect(decode(void + cycle.gga(talker)).fix.mode == .noFix)
        let other = line("ECGLL,,,,,101520.00,V,N")
        #expect(decode(cycle.gga(talker) + void + other).fix.mode == .noFix)
    }

    @Test func `GSA mode 1 counts only if no other sentence reports a fix`() {
        #expect(decode(cycle.gga() + cycle.gsa(1)).fix.mode == .threeD)
        #expect(decode(cycle.gsa(1) + cycle.zda()).fix.mode == .noFix)
    }

    // MARK: Values

    @Test func `the best quality of an epoch is its quality`() {
        #expect(decode(cycle.rmc(mode: "A") + cycle.gga(quality: 2)).fix.quality == .differential)
        #expect(decode(cycle.rmc(mode: "R") + cycle.gga(quality: 2)).fix.quality == .rtkFixed)
    }

    @Test func `the last position of an epoch is used`() {
        let gga = line("GPGGA,101520.00,4812.60000,N,01622.42000,E,1,08,1.0,1.0,M,,M,,")
        #expect(decode(cycle.rmc() + gga).fix.coordinate?.latitude == 48 + 12.6 / 60)
        #expect(decode(gga + cycle.rmc()).fix.coordinate?.latitude == 48 + 12.5 / 60)
    }

    @Test(arguments: [false, true])
    func `of two distant receivers with the same time, the first one is used`(isCut: Bool) {
        var bench = Bench()
        for cycle in Cycle.run(4) {
            let place = "5000.00000,N,00900.00000,E"
            if !isCut { bench.send(cycle.rmc()) }
            bench.send(
                cycle.gga(), line("GNRMC,\(cycle.clock),A,\(place),30.0,1.0,210326,,,R"),
                line("GNVTG,1.0,T,,M,30.0,N,55.6,K,A"),
                line("GNGGA,\(cycle.clock),\(place),4,20,0.5,9.0,M,47.0,M,1.0,23"))
        }
        bench.finish()
        #expect(bench.fixes.count == 4)
        for fix in bench.fixes {
            #expect(fix.coordinate?.latitude == 48 + 12.5 / 60)
            #expect(fix.altitude == 171.4)
            #expect(fix.course == (isCut ? nil : 90))
            #expect(fix.quality == .autonomous && fix.correctionStation == nil)
        }
    }

    @Test(arguments: ["GN", "GL"])
    func `of two distant receivers, the second one's altitude is not used either`(talker: String) {
        let place = "4813.50000,N,01622.42000,E"
        let bodies = [
            "GGA,101520.00,\(place),1,12,0.5,999.0,M,40.0,M,,",
            "GNS,101520.00,\(place),AA,12,0.5,999.0,40.0,,",
        ]
        for body in bodies {
            let fix = decode(cycle.gga() + cycle.rmc() + line(talker + body)).fix
            #expect(fix.altitude == 171.4 && fix.geoidSeparation == 43.1)
            #expect(fix.satellitesUsed == 8 && fix.dilution.hdop == 1)
        }
    }

    @Test func `a receiver of one constellation changes nothing beside the GGA of all`() {
        let gga = line("GNGGA,101520.00,4812.50500,N,01622.42000,E,4,20,0.5,180.0,M,43.1,M,1.0,7")
        let rmc = line("GNRMC,101520.00,A,4812.50500,N,01622.42000,E,1.0,45.0,210326,,,R")
        let other = cycle.gga() + cycle.rmc(mode: "D") + cycle.vtg() + cycle.gll()
        let alone = decode(gga + rmc).fix
        #expect(decode(gga + rmc + other).fix == alone)
        let pubx = line(
            "PUBX,00,101520.00,4812.50510,N,01622.42000,E,222.0,G3,1.0,1.5,3.6,46.00,0.0,,1,1,1,9,0,0"
        )
        #expect(decode(gga + rmc + pubx).fix.speed == 1)
        // Many receivers have one talker for RMC and another one for GGA.
        let mixed = decode(gga + cycle.rmc()).fix
        #expect(mixed.course == 90 && mixed.quality == .rtkFixed)
        #expect(decode(rmc + cycle.gga(quality: 2)).fix.altitude == 171.4)
    }

    @Test func `VTG replaces RMC's speed and course`() {
        let vtg = line("GPVTG,100.0,T,,M,36.0,N,,K,A")
        let fix = decode(cycle.rmc() + vtg).fix
        #expect(fix.course == 100)
        let knots = 36.0
        #expect(fix.speed == knots * 1852 / 3600)
    }

    @Test(arguments: [("GP", "GL", ""), ("GN", "GN", ""), ("GN", "GN", ",2")])
    func `if the DOPs of two constellations differ, the smallest values are those of the fix`(
        first: String, second: String, system: String
    ) {
        let lists =
            line("\(first)GSA,A,3,05,07,13,14,,,,,,,,,2.3,1.1,2.0\(system.isEmpty ? "" : ",1")")
            + line("\(second)GSA,A,3,67,68,69,77,,,,,,,,,2.4,1.2,1.9\(system)")
            + line("GAGSA,A,3,01,04,,,,,,,,,,,0.0,0.0,0.0")
        let smallest = DilutionOfPrecision(hdop: 1, vdop: 1.9, pdop: 2.3)
        #expect(decode(cycle.gga() + lists).fix.dilution == smallest)
        #expect(decode(cycle.rmc() + lists).fix.dilution.hdop == 1.1)
        #expect(decode(cycle.rmc() + lists + cycle.gga()).fix.dilution == smallest)
    }

    @Test func `equal DOPs of two constellations, or newer ones of one, replace earlier DOPs`() {
        let newer = line("GPGSA,A,3,05,07,13,14,,,,,,,,,2.3,1.2,2.0")
        let equal = line("GLGSA,A,3,67,68,69,77,,,,,,,,,2.3,1.2,2.0")
        for lists in [newer, newer + equal, cycle.gsa() + newer] {
            let dilution = decode(cycle.gga() + lists).fix.dilution
            #expect(dilution == DilutionOfPrecision(hdop: 1.2, vdop: 2, pdop: 2.3))
        }
    }

    @Test func `altitude and ellipsoidal altitude are separate`() {
        let fix = decode(cycle.gga()).fix
        #expect(fix.altitude == 171.4)
        #expect(fix.geoidSeparation == 43.1)
        #expect(fix.ellipsoidalAltitude == 171.4 + 43.1)
        let without = decode(line("GPGGA,101520.00,4812.5,N,01622.42,E,1,08,1.0,171.4,M,,M,,")).fix
        #expect(without.altitude == 171.4)
        #expect(without.ellipsoidalAltitude == nil)
    }
}

/// The accuracy of a fix and its source.
@Suite(.timeLimit(.generous)) struct AccuracyTests {
    private let cycle = Cycle("101520.00")
    private let gst = line("GPGST,101520.00,,,,,3.0,4.0,6.0")
    private let gbs = line("GPGBS,101520.00,6.0,8.0,9.0,,,,")

    @Test func `GST comes first`() {
        let accuracy = decode(cycle.gga() + cycle.gsa() + gbs + gst).fix.accuracy
        #expect(
            accuracy == Accuracy(horizontal: 1.07 * 5, vertical: 6, source: .standardDeviations))
    }

    @Test func `GST's axes are used if its latitude and longitude errors are missing`() {
        let axes = line("GPGST,101520.00,,3.0,4.0,20.0,,,6.0")
        #expect(decode(cycle.gga() + axes).fix.accuracy.horizontal == 1.07 * 5)
    }

    @Test func `errors of 0 in GST and GBS are too small for their decimals, and are not used`() {
        let zeros = line("GPGST,101520.00,0.5,0.0,0.0,0.0,0.0,0.0,0.0")
        let zeroErrors = line("GPGBS,101520.00,0.0,0.0,0.0,,,,")
        let rough = cycle.gga(quality: 4) + cycle.gsa()
        #expect(
            decode(rough + zeroErrors + zeros).fix.accuracy
                == Accuracy(horizontal: 1.07 * 0.02, vertical: 1.6 * 0.02, source: .dilution))
        #expect(decode(rough + gbs + zeros).fix.accuracy.source == .expectedErrors)
        let mixed = line("GPGST,101520.00,0.5,0.0,0.0,0.0,0.0,0.0,0.1")
        let fix = decode(rough + mixed).fix
        #expect(fix.accuracy.vertical == 0.1 && fix.accuracy.source == .dilution)
        #expect(fix.standardDeviation.latitude == 0)
    }

    @Test func `GBS is used if there are no standard deviations`() {
        let accuracy = decode(cycle.gga() + cycle.gsa() + gbs).fix.accuracy
        #expect(accuracy == Accuracy(horizontal: 1.07 * 10, vertical: 9, source: .expectedErrors))
    }

    @Test(arguments: [(1, 5), (2, 2), (5, 0.5), (4, 0.02)])
    func `DOP is used last, multiplied by the range error of the quality`(
        quality: Int, range: Double
    ) {
        let accuracy = decode(cycle.gga(quality: quality) + cycle.gsa()).fix.accuracy
        #expect(accuracy.source == .dilution)
        #expect(accuracy.horizontal == 1.07 * 1.0 * range)
        #expect(accuracy.vertical == 1.6 * range)
    }

    @Test func `dead reckoning has no accuracy from DOP`() {
        #expect(decode(cycle.gga(quality: 6) + cycle.gsa()).fix.accuracy == Accuracy())
    }

    @Test func `a two-dimensional fix has no vertical accuracy`() {
        let accuracy = decode(cycle.gga(satellites: "03") + cycle.gsa(2)).fix.accuracy
        #expect(accuracy.horizontal == 1.07 * 5)
        #expect(accuracy.vertical == nil)
    }

    @Test func `the receiver's own figure comes third`() {
        let own = line("PGRME,10.0,M,10.0,M,15.0,M")
        #expect(decode(cycle.gga() + cycle.gsa() + own).fix.accuracy.source == .receiver)
        #expect(decode(cycle.gga() + own + gbs).fix.accuracy.source == .expectedErrors)
    }

    @Test func `the assumed range errors can be replaced`() {
        var decoder = NMEADecoder()
        decoder.rangeError.autonomous = 3
        let accuracy = decode(cycle.gga() + cycle.gsa(), decoder).fix.accuracy
        #expect(accuracy.horizontal == 1.07 * 3)
    }
}

/// The number of satellites used, where a receiver counts none.
@Suite(.timeLimit(.generous))
struct SatelliteCountTests {
    // gpsd's sentences of a u-blox before its first list of satellites.
    @Test(arguments: [("1", nil as Int?), ("6", 0)])
    func `0 satellites with a fix are an unknown number, except in dead reckoning`(
        quality: String, count: Int?
    ) throws {
        let text = [
            line("GPGGA,120004.00,4807.0620,N,01131.0000,E,\(quality),00,,545.40,M,44.763,M,,"),
            line("GPRMC,120004.00,A,4807.0620,N,01131.0000,E,5.8296,53.100,210326,3.3,E"),
            line("GPGSA,A,3,,,,,,,,,,,,,,,"),
        ].joined()
        let fix = decode(text).fix
        #expect(fix.mode == .threeD && fix.coordinate != nil)
        #expect(fix.satellitesUsed == count)
    }
}
