// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing

/// Invalid fields as sent by receivers, and the values that are known afterwards.
@Suite(.timeLimit(.generous)) struct FieldCases {
    /// An RMC with one changed field.
    private func rmc(
        time: String = "081530.00", status: String = "A",
        position: String = "5954.762,N,01045.133,E", motion: String = "012.0,271.5",
        date: String = "140524", tail: String = "002.5,W,A"
    ) -> String {
        line("GPRMC,\(time),\(status),\(position),\(motion),\(date),\(tail)")
    }

    private let place = Coordinate(latitude: 59.9127, longitude: 10 + 45.133 / 60)
    private let instant = "2024-05-14T08:15:30.000Z"

    private func keepsAllButPosition(_ decoded: Transcript) -> Bool {
        decoded.fix.coordinate == nil && decoded.fix.mode == .noFix
            && decoded.fix.time?.description == instant && decoded.statistics.accepted == 1
    }

    @Test func `an empty RMC of a cold start reports no fix`() {
        let decoded = decode(line("GPRMC,,V,,,,,,,,,,N"))
        #expect(decoded.fix.mode == .noFix)
        #expect(decoded.fix.time == nil)
        #expect(decoded.fix.timeOfDay == nil)
        #expect(decoded.statistics.rejected == 0)
        #expect(decoded.statistics.fieldErrors == 0)
    }

    @Test func `a latitude beyond the pole is not a position`() throws {
        #expect(keepsAllButPosition(decode(rmc(position: "9154.762,N,01045.133,E"))))
        let sentence = try RMC(rmc(position: "9154.762,N,01045.133,E"))
        #expect(sentence.speedKnots == 12)
        #expect(sentence.course == 271.5)
    }

    @Test func `a latitude a hundredth of a minute beyond the pole is not a position`() {
        #expect(keepsAllButPosition(decode(rmc(position: "9000.010,S,01045.133,E"))))
    }

    @Test func `a latitude with a sign is not a position`() {
        #expect(keepsAllButPosition(decode(rmc(position: "-5954.762,N,01045.133,E"))))
    }

    @Test func `a position without a hemisphere is missing`() {
        #expect(keepsAllButPosition(decode(rmc(position: "5954.762,,01045.133,E"))))
    }

    @Test func `hemispheres of the other axis are not accepted`() {
        #expect(keepsAllButPosition(decode(rmc(position: "5954.762,E,01045.133,N"))))
    }

    @Test func `whole minutes are a position`() {
        let decoded = decode(rmc(position: "5954,N,01045,E"))
        #expect(decoded.fix.coordinate == Coordinate(latitude: 59.9, longitude: 10.75))
    }

    @Test func `a longitude beyond the date line is not a position`() {
        #expect(keepsAllButPosition(decode(rmc(position: "5954.762,N,18133.000,W"))))
    }

    @Test func `decimal commas shift the fields, and position and altitude are missing`() {
        let decoded = decode(
            line("GPGGA,081530,00,5954,762,N,01045,133,E,1,09,1,2,92,5,M,40,1,M,,"))
        #expect(decoded.fixes.allSatisfy { $0.coordinate == nil && $0.altitude == nil })
        #expect(decoded.statistics.accepted == 1)
    }

    @Test func `an altitude of twenty digits is absent, and the position is kept`() {
        let decoded = decode(
            line(
                "GPGGA,081530.00,5954.762,N,01045.133,E,1,09,1.2,88888888888888888888.8,M,"
                    + "40.1,M,,"))
        #expect(decoded.fix.altitude == nil)
        #expect(decoded.fix.coordinate == place)
    }

    @Test func `nan and inf are not numbers`() throws {
        let text = line("GPGGA,081530.00,nan,N,inf,E,1,09,nan,+Inf,M,NaN,M,,")
        #expect(decode(text).fix.coordinate == nil)
        let gga = try GGA(text)
        #expect(gga.hdop == nil && gga.altitude == nil && gga.geoidSeparation == nil)
    }

    @Test func `an altitude without a unit is in metres`() {
        let decoded = decode(line("GPGGA,081530.00,5954.762,N,01045.133,E,1,09,1.2,92.5,,40.1,,,"))
        #expect(decoded.fix.altitude == 92.5)
    }

    @Test func `an altitude in feet is missing`() {
        let decoded = decode(
            line("GPGGA,081530.00,5954.762,N,01045.133,E,1,09,1.2,303.5,f,131.6,f,,")
        )
        #expect(decoded.fix.altitude == nil)
        #expect(decoded.fix.geoidSeparation == nil)
        #expect(decoded.fix.coordinate == place)
    }

    @Test func `second 60 is a leap second`() {
        let decoded = decode(rmc(time: "235960.00", date: "300615"))
        #expect(decoded.fix.time?.description == "2015-06-30T23:59:60.000Z")
        #expect(decoded.fix.time?.unixNanoseconds == 1_435_708_800_000_000_000)
    }

    @Test func `minute 61 is not a time, and without a time there is no date`() {
        let decoded = decode(rmc(time: "246161.00"))
        #expect(decoded.fix.timeOfDay == nil)
        #expect(decoded.fix.time == nil)
        #expect(decoded.fix.coordinate == place)
    }

    @Test func `a time of five digits is missing`() {
        #expect(decode(rmc(time: "81530")).fix.timeOfDay == nil)
    }

    @Test func `a date of zeros is missing`() {
        let decoded = decode(rmc(date: "000000"))
        #expect(decoded.fix.time == nil)
        #expect(decoded.fix.timeOfDay != nil)
        #expect(decoded.fix.coordinate == place)
    }

    @Test func `29 February is not a date in a common year`() {
        let decoded = decode(rmc(date: "290225"))
        #expect(decoded.fix.time == nil)
        #expect(decoded.fix.coordinate == place)
        #expect(decode(rmc(date: "290224")).fix.time != nil)
    }

    @Test func `dates from 2038 on are accepted`() {
        let decoded = decode(rmc(time: "031408.00", date: "200138"))
        #expect(decoded.fix.time?.description == "2038-01-20T03:14:08.000Z")
        #expect(decoded.fix.time?.unixNanoseconds == 2_147_570_048_000_000_000)
    }

    @Test func `year 79 is 2079, year 80 is 1980`() {
        #expect(decode(rmc(date: "020279")).fix.time?.date.year == 2079)
        #expect(decode(rmc(date: "020280")).fix.time?.date.year == 1980)
    }

    @Test func `a ZDA with a blank date has the time of day alone`() {
        let decoded = decode(line("GPZDA,081530.00,,,,,"))
        #expect(decoded.statistics.accepted == 1)
        #expect(decoded.fixes.allSatisfy { $0.time == nil })
    }

    @Test func `coordinates in a void RMC are not a position, but time and date are reported`() {
        let decoded = decode(rmc(status: "V", tail: "002.5,W,N"))
        #expect(decoded.fix.mode == .noFix)
        #expect(decoded.fix.coordinate == nil)
        #expect(decoded.fix.time?.description == instant)
    }

    @Test func `status A with mode N is not a fix`() {
        #expect(decode(rmc(tail: "002.5,W,N")).fix.mode == .noFix)
    }

    @Test func `mode S is a simulated fix`() {
        let decoded = decode(rmc(tail: "002.5,W,S"))
        #expect(decoded.fix.mode == .twoD)
        #expect(decoded.fix.quality == .simulated)
    }

    @Test func `one sentence's simulated quality takes precedence over the others`() {
        let decoded = decode(
            line("GPGGA,081530.00,4807.038,N,01131.000,E,8,08,0.9,545.4,M,46.9,M,,")
                + line("GPGLL,4807.038,N,01131.000,E,081530.00,A,A"))
        #expect(decoded.fix.quality == .simulated)
    }

    @Test func `a simulated fix stays simulated if the sentence with the quality is lost`() {
        let decoded = decode(
            line("GPGGA,081530,4807.038,N,01131.000,E,8,08,0.9,545.4,M,46.9,M,,")
                + line("GPRMC,081530,A,4807.038,N,01131.000,E,022.4,084.4,140524,,")
                + line("GPRMC,081531,A,4807.038,N,01131.000,E,022.4,084.4,140524,,")
                + line("GPRMC,081532,A,4807.038,N,01131.000,E,022.4,084.4,140524,,,A"))
        #expect(decoded.fixes.map(\.quality) == [.simulated, .simulated, .autonomous])
    }

    @Test func `a sentence that cannot mark a fix as simulated does not make it real`() {
        let position = "4812.50000000,N,01622.42000000,E"
        let decoded = decode(
            line("GPGGA,101519.00,\(position),8,08,0.9,170.5,M,44.0,M,,")
                + line("PTNL,GGK,101519.00,032126,\(position),1,08,0.9,EHT214.5,M")
                + line("PTNL,GGK,101520.00,032126,\(position),1,08,0.9,EHT214.5,M")
                + line("GPGGA,101521.00,\(position),1,08,0.9,170.5,M,44.0,M,,"))
        #expect(decoded.fixes.map(\.quality) == [.simulated, .simulated, .autonomous])
    }

    @Test func `every mode letter becomes its quality`() {
        let text = zip(0..., ["F", "R", "D", "P", "M"]).map { second, mode in
            rmc(time: "08153\(second).00", tail: "002.5,W,\(mode)")
        }
        let qualities = decode(text.joined()).fixes.map(\.quality)
        #expect(qualities == [.rtkFloat, .rtkFixed, .differential, .precise, .manual])
    }

    @Test func `a GLL of NMEA 2 without mode is a position`() {
        #expect(decode(line("GPGLL,5954.762,N,01045.133,E,081530.00,A")).fix.coordinate == place)
    }

    @Test func `a GLL without a status is not a fix`() {
        let decoded = decode(line("GPGLL,5954.762,N,01045.133,E"))
        #expect(decoded.fixes.allSatisfy { $0.mode == .noFix })
        #expect(decoded.statistics.accepted == 1)
    }

    @Test func `a GNS has one mode per constellation`() throws {
        let text = line("GNGNS,081530.00,5954.762,N,01045.133,E,AANN,11,1.2,92.5,40.1,,,V")
        let gns = try GNS(text)
        #expect(gns.modes[.gps] == .autonomous)
        #expect(gns.modes[.glonass] == .autonomous)
        #expect(gns.modes[.galileo] == .invalid)
        #expect(gns.modes[.beiDou] == .invalid)
        #expect(gns.modes[.qzss] == nil)
        #expect(decode(text).fix.satellitesUsed == 11)
        #expect(decode(text).fix.mode == .threeD)
    }

    @Test func `a GNS with only N modes is not a fix`() {
        #expect(decode(line("GNGNS,081530.00,,,,,NNNN,00,99.99,,,,,V")).fix.mode == .noFix)
    }

    @Test func `a GGA with no satellites alone is not evidence of a fix`() throws {
        let text = line("GPGGA,081530.00,5954.762,N,01045.133,E,1,00,1.2,92.5,M,40.1,M,,")
        #expect(try GGA(text).coordinate == place)
        #expect(decode(text).fix.mode == .noFix)
        #expect(decode(text + rmc()).fix.coordinate == place)
    }

    @Test func `dead reckoning is a fix without satellites, and a DOP of 99.9 is unknown`() {
        let decoded = decode(
            line("GPGGA,081530.00,5954.762,N,01045.133,E,6,00,99.9,92.5,M,40.1,M,,")
        )
        #expect(decoded.fix.mode == .twoD)
        #expect(decoded.fix.quality == .estimated)
        #expect(decoded.fix.dilution.hdop == nil)
    }

    @Test func `negative and impossible speeds are missing, other values are kept`() {
        for speed in ["-12.0", "88888.8"] {
            let decoded = decode(rmc(motion: "\(speed),271.5"))
            #expect(decoded.fix.speed == nil)
            #expect(decoded.fix.course == 271.5)
            #expect(decoded.fix.coordinate == place)
        }
    }

    @Test func `course 360 is 0, and 400 is missing`() {
        #expect(decode(rmc(motion: "012.0,360.0")).fix.course == 0)
        #expect(decode(rmc(motion: "012.0,400.0")).fix.course == nil)
    }

    @Test func `additional fields are ignored`() {
        let decoded = decode(rmc(tail: "002.5,W,A,V,more,and more"))
        #expect(decoded.fix.coordinate == place)
        #expect(decoded.statistics.fieldErrors == 0)
    }

    @Test func `an RMC that ends within its position is rejected`() {
        let decoded = decode(line("GPRMC,081530.00,A,5954.762,N"))
        #expect(decoded.statistics[.tooFewFields] == 1)
        #expect(decoded.fixes.isEmpty)
    }

    @Test func `a date from before a week rollover is reported unchanged and marked as suspect`() {
        let decoded = decode(rmc(time: "000231.42", date: "220899", tail: ",,A"))
        #expect(decoded.fix.time?.description == "1999-08-22T00:02:31.420Z")
        #expect(decoded.fix.isDateSuspect)
    }
}
