// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing

@Suite(.timeLimit(.generous)) struct VTGTests {
    private let fix = line("GPGGA,101520.00,4812.5,N,01622.42,E,1,05,1.0,1.0,M,,M,,")

    @Test func `reads both courses and both speeds`() throws {
        let vtg = try VTG(line("GPVTG,230.5,T,229.1,M,5.0,N,9.3,K,A"))
        #expect((vtg.course, vtg.magneticCourse) == (230.5, 229.1))
        #expect((vtg.speedKnots, vtg.speedKilometresPerHour) == (5, 9.3))
        #expect(vtg.mode == .autonomous)
    }

    @Test(arguments: ["230.5,229.1,5.0,9.3", "230.5,,5.0,9.3"])
    func `the old form has four bare numbers`(fields: String) throws {
        let vtg = try VTG(line("GPVTG,\(fields)"))
        #expect(vtg.course == 230.5)
        #expect((vtg.speedKnots, vtg.speedKilometresPerHour) == (5, 9.3))
    }

    @Test func `kilometres per hour are used if knots are missing`() {
        #expect(decode(fix + line("GPVTG,,T,,M,,N,36.0,K,A")).fix.speed == 10)
    }

    @Test func `with mode N it contributes nothing`() {
        let decoded = decode(fix + line("GPVTG,230.5,T,,M,5.0,N,9.3,K,N"))
        #expect(decoded.fix.speed == nil)
        #expect(decoded.fix.mode == .threeD)
    }

    @Test func `at the beginning of a cycle it does not set the speed of the fix before`() {
        let cycles = zip(1..., Cycle.run(5)).map { speed, cycle in
            line("GPVTG,90.0,T,,M,\(speed).0,N,,K,A") + cycle.rmc(speed: "\(speed).0")
                + cycle.gga() + cycle.gsa()
        }
        let fixes = decode(cycles.joined()).fixes
        let speeds: [Double?] = (1...5).map { Double($0) * 1852 / 3600 }
        #expect(fixes.map(\.speed) == speeds)
        #expect(fixes.allSatisfy { $0.dilution.pdop == 1.9 })
    }

    @Test func `another device's VTG does not replace the speed of a satellite receiver`() {
        let autopilot = line("APVTG,,T,,M,0.0,N,,K,D")
        let rmc = line("GPRMC,101520.00,A,4812.5,N,01622.42,E,36.0,90.0,210326,,,A")
        #expect(decode(rmc + autopilot + fix).fix.speed == Double(36) * 1852 / 3600)
        #expect(decode(autopilot + rmc + fix).fix.speed == Double(36) * 1852 / 3600)
        #expect(decode(fix + autopilot).fix.speed == 0)
    }

    @Test func `another device's VTG does not come before that of the receiver`() {
        let cycles = Cycle.run(5).map { cycle in
            cycle.gga() + line("IIVTG,80.0,T,,M,9.0,N,,K,A") + cycle.vtg()
        }
        // In the first cycle, it is not known that the receiver sends VTG.
        #expect(decode(cycles.joined()).fixes.map(\.course) == [80, 90, 90, 90, 90])
    }

    @Test func `with three fields it is rejected`() {
        #expect(throws: NMEAError.rejected(.tooFewFields)) { try VTG(line("GPVTG,1.0,T,")) }
    }
}
