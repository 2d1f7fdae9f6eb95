// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing

/// Forms of fields that programs and receivers send although the standard has others.
@Suite(.timeLimit(.generous)) struct OddFieldTests {
    private func position(_ position: String) -> Coordinate? {
        decode(line("GPGGA,120000.00,\(position),1,09,0.9,5.0,M,40.0,M,,")).fix.coordinate
    }

    @Test func `exactly 60 minutes are the next degree`() {
        #expect(
            position("5260.0000,N,00060.0000,E") == Coordinate(latitude: 53, longitude: 1))
        #expect(position("8960,N,17960.000,W") == Coordinate(latitude: 90, longitude: -180))
        #expect(position("5260.0001,N,00059.0000,E") == nil)
        #expect(position("5261.0000,N,00059.0000,E") == nil)
        #expect(position("9060.0000,N,00059.0000,E") == nil)
    }

    @Test(arguments: ["M", "m", "", " M "])
    func `an altitude has metres as its unit, in any case or missing`(unit: String) {
        let fix = gga("1", "100.0,\(unit),50.0,\(unit)")
        #expect((fix.altitude, fix.geoidSeparation) == (100, 50))
        #expect(fix.mode == .threeD)
    }

    @Test func `another unit leaves a fix without an altitude, which is 2D`() {
        let fix = gga("1", "328.1,F,164.0,F")
        #expect(fix.altitude == nil)
        #expect(fix.mode == .twoD)
    }

    @Test(arguments: ["9", "12", "99", "DGNSS fix", ""])
    func `the altitude beside an unknown quality is used if RMC reports a fix`(quality: String) {
        let fix = gga(quality, "913.3,M,-12.0,M")
        #expect(fix.altitude == 913.3)
        #expect(fix.mode == .threeD)
    }

    /// Returns the second fix; the one before it is 3D.
    private func gga(_ quality: String, _ altitude: String) -> Fix {
        let before = sentences("1", "1.0,M,1.0,M", at: "120001.00")
        return decode(before + sentences(quality, altitude, at: "120002.00")).fixes.last ?? Fix()
    }

    private func sentences(_ quality: String, _ altitude: String, at time: String) -> String {
        line("GNGGA,\(time),4518.2531,N,00310.8612,E,\(quality),05,1.1,\(altitude),,")
            + line("GNRMC,\(time),A,4518.2531,N,00310.8612,E,1.0,10,280321,,,A")
    }

    @Test func `spaces around a value are not part of it`() throws {
        let dbt = try DBT(line("SDDBT,  17.9,f,  5.46,M,  2.98,F"))
        #expect(dbt == (try DBT(line("SDDBT,17.9,f,5.46,M,2.98,F"))))
        let dpt = try DPT(line("SDDPT, 2.4, ,"))
        #expect(dpt == (try DPT(line("SDDPT,2.4,,"))))
        let rmc = "GPRMC, 120000.00 , A ,5400.0000 , N, 00800.0000,E , 5.0, 90.0 ,010624 ,,,A"
        let plain = String(rmc.filter { $0 != " " })
        #expect(try RMC(line(rmc)) == (try RMC(line(plain))))
        let gga = "GPGGA,120000.00,5400.0000,N,00800.0000,E, 1, 09, 0.9, 5.0, M, 40.0 ,M, ,"
        #expect(try GGA(line(gga)) == (try GGA(line(String(gga.filter { $0 != " " })))))
        let pitch = decode(
            Cycle("101520.00").gga() + line("IIXDR, A, 1.0, D, ROLL, A, 2.0, D, PITCH"))
        #expect(pitch.fix.attitude.pitch == 2)
        #expect(pitch.fix.attitude.roll == 1)
    }

    @Test func `spaces inside a value make it malformed`() {
        let decoded = decode(line("SDDBT,1 7.9,f,5. 46,M,x2.98,F"))
        #expect(decoded.statistics.fieldErrors == 3)
        #expect(position("54 00.0000,N,00800.0000,E") == nil)
    }

    @Test func `reads a date with a four-digit year in RMC, and a two-digit year in ZDA`() throws {
        let date = CalendarDate(year: 2016, month: 2, day: 28)
        #expect(try RMC(line("GPRMC,,A,5400.0,N,00800.0,E,5.0,90.0,28022016,,,A")).date == date)
        #expect(try RMC(line("GPRMC,,A,5400.0,N,00800.0,E,5.0,90.0,2802016,,,A")).date == nil)
        #expect(try ZDA(line("GPZDA,120000.00,28,02,16,00,00")).date == date)
        #expect(try ZDA(line("GPZDA,120000.00,28,02,016,00,00")).date == nil)
        #expect(
            try ZDA(line("GPZDA,120000.00,28,02,99,00,00")).date
                == CalendarDate(year: 1999, month: 2, day: 28))
    }
}
