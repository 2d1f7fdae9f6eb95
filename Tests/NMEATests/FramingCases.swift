// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing

/// Bytes as received over real cables, with the sentences in them and the counters.
@Suite(.timeLimit(.generous)) struct FramingCases {
    private let rmcBody = "GPRMC,081530.00,A,5954.762,N,01045.133,E,012.0,271.5,140524,002.5,W,A"
    private let ggaBody = "GPGGA,081530.00,5954.762,N,01045.133,E,1,09,1.2,92.5,M,40.1,M,,"
    private var rmc: String { line(rmcBody) }
    private var gga: String { line(ggaBody) }

    /// Whether the stream gave the fix of `rmc` exactly once.
    private func isWhole(_ decoded: Transcript) -> Bool {
        decoded.fix.time?.description == "2024-05-14T08:15:30.000Z"
            && decoded.fix.coordinate == Coordinate(latitude: 59.9127, longitude: 10 + 45.133 / 60)
    }

    @Test func `a plain RMC gives position, speed, course, variation and instant`() {
        let decoded = decode(rmc)
        #expect(isWhole(decoded))
        let knots = 12.0
        #expect(decoded.fix.speed == knots * 1852 / 3600)
        #expect(decoded.fix.course == 271.5)
        #expect(decoded.fix.magneticVariation == -2.5)
        #expect(decoded.statistics.accepted == 1)
        #expect(decoded.statistics.rejected == 0)
    }

    @Test func `a sentence without a checksum is rejected by default`() {
        let bare = "$" + rmcBody + "\r\n"
        #expect(decode(bare).statistics[.noChecksum] == 1)
        #expect(decode(bare).fixes.isEmpty)
        var options = Framer.Options()
        options.checksum = .acceptMissing
        #expect(isWhole(decode(bare, NMEADecoder(options: options))))
    }

    @Test func `checksum digits may be lower case`() {
        let lowered = "$" + ggaBody + "*" + gga.dropLast().suffix(2).lowercased() + "\r\n"
        #expect(decode(lowered).statistics.accepted == 1)
        let other = line("GPGGA,081530.00,5954.762,N,01045.133,E,1,09,1.2,92.5,M,40.1,M,,7")
        #expect(decode(other.lowercased().replacingAddress()).statistics.accepted == 1)
    }

    @Test func `a single checksum digit is malformed, not missing`() {
        let decoded = decode("$" + rmcBody + "*3\r\n")
        #expect(decoded.statistics[.malformedChecksum] == 1)
        #expect(decoded.statistics[.noChecksum] == 0)
        #expect(decoded.fixes.isEmpty)
    }

    @Test func `text that follows the checksum is ignored and counted`() {
        let decoded = decode(rmc.dropLast() + ",xyz\r\n")
        #expect(isWhole(decoded))
        #expect(decoded.statistics.trailingJunk == 1)
    }

    @Test func `a line feed alone ends a sentence`() {
        #expect(isWhole(decode(line(rmcBody, end: "\n"))))
    }

    @Test func `a doubled carriage return is not an error`() {
        let decoded = decode(line(rmcBody, end: "\r\r\n"))
        #expect(isWhole(decoded))
        #expect(decoded.statistics.rejected == 0)
    }

    @Test func `a last sentence without a line end is accepted at the end of the input`() {
        var decoder = NMEADecoder()
        var before = 0
        decoder.push(line(rmcBody, end: "").bytes.span) { _ in before += 1 }
        #expect(before == 0)
        #expect(isWhole(decode(line(rmcBody, end: ""))))
    }

    @Test func `a fragment before a sentence is dropped and counted`() {
        let decoded = decode("$GPGGA,081530.00,5954.7" + rmc)
        #expect(isWhole(decoded))
        #expect(decoded.statistics[.truncated] == 1)
    }

    @Test func `a start character in a text cuts the sentence, whatever its checksum`() {
        let decoded = decode(line("GPTXT,01,01,02,price $9"))
        #expect(decoded.sentences.isEmpty)
        #expect(decoded.statistics[.truncated] == 1)
        #expect(decoded.statistics.rejected == 2)
    }

    @Test func `a NUL within a sentence drops it`() {
        var bytes = rmc.bytes
        bytes.insert(0, at: 30)
        let decoded = decode(bytes)
        #expect(decoded.statistics[.nonPrintable] == 1)
        #expect(decoded.fixes.isEmpty)
    }

    @Test func `line noise before and between sentences is junk`() {
        let decoded = decode([0xFE, 0xFF, 0x90] + rmc.bytes + [0xFF, 0, 0xFF, 0x80] + gga.bytes)
        #expect(isWhole(decoded))
        #expect(decoded.statistics.accepted == 2)
        #expect(decoded.statistics.junkBytes == 7)
    }

    @Test func `a complete UBX frame is skipped, whatever its payload`() {
        let frame = ubx("$GPGGA\n,\r\n*00".bytes + Array(0..<90))
        let decoded = decode(rmc.bytes + frame + gga.bytes)
        #expect(isWhole(decoded))
        #expect(decoded.sentences.count == 2)
        #expect(decoded.statistics.rejected == 0)
        #expect(decoded.statistics.ubxFrames == 1)
        #expect(decoded.statistics.binaryBytes == frame.count)
    }

    @Test func `a UBX frame within a sentence breaks that sentence only`() {
        let frame = ubx("$GPGGA\n,\r\n*00".bytes + Array(0..<90))
        let decoded = decode(rmc.bytes.prefix(31) + frame + gga.bytes)
        #expect(decoded.sentences == [String(gga.dropLast())])
        #expect(decoded.statistics[.truncated] == 1)
        #expect(decoded.statistics.ubxFrames == 1)
    }

    @Test func `an RTK receiver's long GGA is accepted`() {
        let decoded = decode(
            line(
                "GNGGA,081530.00,5954.76214358,N,01045.13301924,E,4,14,0.61,92.5317,M,"
                    + "40.1220,M,1.0,0042"))
        #expect(decoded.fix.quality == .rtkFixed)
        #expect(decoded.fix.altitude == 92.5317)
        #expect(decoded.fix.geoidSeparation == 40.122)
        #expect(decoded.fix.correctionAge == 1)
        #expect(decoded.fix.correctionStation == 42)
    }

    @Test func `two hundred characters are not too long`() {
        let decoded = decode(line("GPTXT,01,01,02," + String(repeating: "y", count: 185)))
        #expect(decoded.sentences.count == 1)
        #expect(decoded.statistics.rejected == 0)
    }

    @Test func `empty sentences are rejected, empty lines are not`() {
        let decoded = decode("\r\n\r\n$\r\n$*00\r\n" + line(",") + rmc)
        #expect(isWhole(decoded))
        #expect(decoded.statistics[.emptyBody] == 3)
        #expect(decoded.statistics.rejected == 3)
    }

    @Test func `AIS sentences are passed on unchanged`() {
        let ais = line("AIVDM,1,1,,B,13u?etPv2;0n:dDPwUM1U1Cb069D,0", start: "!")
        let decoded = decode(ais + rmc)
        #expect(isWhole(decoded))
        #expect(decoded.sentences.first == String(ais.dropLast()))
        #expect(decoded.statistics.encapsulated == 1)
        #expect(decoded.statistics.rejected == 0)
    }

    @Test func `a TAG block with a wrong checksum does not affect its sentence`() {
        let decoded = decode("\\s:mast,c:1715674530*00\\" + rmc)
        #expect(isWhole(decoded))
        #expect(decoded.statistics.tagBlockBad == 1)
        #expect(decoded.tagBlocks.isEmpty)
    }

    @Test func `a query is distinguished from data`() {
        let decoded = decode(line("ECGPQ,GGA") + rmc)
        #expect(isWhole(decoded))
        #expect(decoded.statistics.query == 1)
        #expect(decoded.statistics.accepted == 1)
    }

    @Test func `a sentence of an unknown talker is decoded by its formatter`() {
        let decoded = decode(line("ZQ" + rmcBody.dropFirst(2)))
        #expect(isWhole(decoded))
        #expect(decoded.sentences.first?.hasPrefix("$ZQRMC") == true)
    }

    @Test func `a sentence with an unknown formatter is passed on raw`() {
        let decoded = decode(line("GPQQX,4,5,6") + rmc)
        #expect(isWhole(decoded))
        #expect(decoded.statistics.raw == 1)
        #expect(decoded.statistics.rejected == 0)
    }

    @Test func `an unknown proprietary sentence is passed on raw`() {
        let decoded = decode(line("PACM77,some,thing"))
        #expect(decoded.statistics.proprietaryRaw == 1)
        #expect(decoded.statistics.rejected == 0)
        #expect(decoded.sentences.count == 1)
    }

    @Test func `fields padded with blanks have the values between them`() {
        let decoded = decode(
            line(
                "GPGGA, 081530.00 , 5954.762 , N , 01045.133 , E , 1 , 09 , 1.2 , 92.5 , M , "
                    + "40.1 , M , , "))
        #expect(decoded.statistics.accepted == 1)
        #expect(decoded.statistics.fieldErrors == 0)
        #expect((decoded.fix.altitude, decoded.fix.satellitesUsed) == (92.5, 9))
    }

    @Test func `two sentences without a line end between them are both accepted`() {
        let decoded = decode(rmc.dropLast() + gga)
        #expect(isWhole(decoded))
        #expect(decoded.statistics.accepted == 2)
        #expect(decoded.statistics.glued == 1)
        #expect(decoded.statistics.rejected == 0)
    }
}

extension String {
    /// Lower case is valid in checksums, but not in addresses.
    fileprivate func replacingAddress() -> String {
        let star = lastIndex(of: "*") ?? endIndex
        return self[..<star].uppercased() + self[star...]
    }
}

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

/// Lists of satellites that are incomplete, out of order, ambiguous or empty.
@Suite(.timeLimit(.generous)) struct SatelliteCases {
    private let first = line("GPGSV,3,1,11,02,11,101,31,05,12,102,32,07,13,103,33,09,14,104,34")
    private let second = line("GPGSV,3,2,11,11,15,105,35,13,16,106,36,15,17,107,37,17,18,108,38")
    private let third = line("GPGSV,3,3,11,19,19,109,39,21,20,110,40,23,21,111,41")

    private func used(_ text: String) -> String {
        let decoded = decode(
            text + line("GPGGA,081530.00,5954.762,N,01045.133,E,1,09,1.2,92.5,M,,M,,")
        )
        return ids(decoded.views.last?.used ?? SatelliteIDSet())
    }

    private func ids(_ set: SatelliteIDSet) -> String {
        let all = Constellation.allCases.flatMap { constellation in
            (1...158).compactMap { SatelliteID(constellation, $0) }
        }
        return all.filter { set.contains($0) }.map(\.description).joined(separator: " ")
    }

    @Test func `a list of satellites without its second part is not delivered`() {
        let decoded = decode(first + third)
        #expect(decoded.view == nil)
        #expect(decoded.statistics[.gsvIncomplete] == 1)
    }

    @Test func `the last complete view is kept while a set is incomplete`() {
        let decoded = decode(first + second + third + first + third)
        #expect(decoded.view?.satellites.count == 11)
    }

    @Test func `parts out of order are dropped`() {
        let decoded = decode(second + first + third)
        #expect(decoded.view == nil)
        #expect(decoded.statistics[.gsvIncomplete] == 2)
    }

    @Test func `a signal ID is not a satellite, and an empty strength is missing`() {
        let decoded = decode(line("GAGSV,1,1,02,03,41,181,36,05,08,320,,7"))
        #expect(decoded.inView == "E03 E05")
        #expect(decoded.view?.signals.map(\.signal) == [7, 7])
        #expect(decoded.view?.signals.map(\.cn0) == [36, nil])
    }

    @Test func `two signals of a satellite count as one satellite`() throws {
        let decoded = decode(
            line("GPGSV,1,1,01,07,41,181,36,1") + line("GPGSV,1,1,01,07,41,181,29,8"))
        let satellites = try #require(decoded.view).satellites
        #expect(satellites.count == 1)
        #expect(satellites.first?.signals.map(\.signal) == [1, 8])
        #expect(satellites.first?.cn0 == 36)
    }

    @Test func `an incomplete entry is omitted`() {
        #expect(decode(line("GPGSV,1,1,02,07,41,181,36,08,31")).inView == "G07")
    }

    @Test func `a set of zero satellites clears its constellation`() throws {
        let decoded = decode(
            line("GPGSV,1,1,01,07,41,181,36") + line("GLGSV,1,1,01,70,41,181,36")
                + line("GPGSV,1,1,00"))
        #expect(try #require(decoded.view).satellites.map(\.id.description) == ["R06"])
    }

    @Test func `zero parts and a part beyond the last are rejected`() {
        let decoded = decode(line("GPGSV,0,0,00") + line("GPGSV,1,2,04,07,41,181,36"))
        #expect(decoded.statistics[.gsvIncomplete] == 2)
        #expect(decoded.statistics.accepted == 0)
        #expect(decoded.view == nil)
    }

    @Test func `an entry without a number is not a satellite`() {
        #expect(decode(line("GPGSV,1,1,02,,41,181,36,08,31,101,21")).inView == "G08")
    }

    @Test func `GQ lists QZSS`() {
        #expect(decode(line("GQGSV,1,1,01,03,41,181,36,1")).inView == "J03")
    }

    @Test func `GI lists NavIC`() {
        #expect(decode(line("GIGSV,1,1,01,06,41,181,36,1")).inView == "I06")
    }

    @Test func `the system ID determines the constellation of GSA's numbers`() {
        let text =
            line("GNGSA,A,3,27,21,19,,,,,,,,,,1.10,0.60,0.92,1")
            + line("GNGSA,A,3,81,74,,,,,,,,,,,1.10,0.60,0.92,2")
            + line("GNGSA,A,3,02,08,,,,,,,,,,,1.10,0.60,0.92,3")
        #expect(used(text) == "G19 G21 G27 E02 E08 R10 R17")
    }

    @Test func `the system ID determines the constellation of GSA's numbers also with talker GP`() {
        let text =
            line("GPGSA,A,3,01,03,05,07,33,,,,,,,,1.9,1.0,1.6,1")
            + line("GPGSA,A,3,81,74,,,,,,,,,,,1.9,1.0,1.6,2")
            + line("GPGSA,A,3,02,04,09,11,,,,,,,,,1.9,1.0,1.6,3")
        #expect(used(text) == "G01 G03 G05 G07 S120 E02 E04 E09 E11 R10 R17")
    }

    @Test(arguments: ["0", "F"])
    func `with talker GP and an unknown system ID, GSA lists GPS`(system: String) {
        #expect(used(line("GPGSA,A,3,01,03,,,,,,,,,,,1.9,1.0,1.6,\(system)")) == "G01 G03")
    }

    @Test func `without a system ID the range of a number determines the constellation`() {
        let text =
            line("GNGSA,A,3,30,25,20,,,,,,,,,,3.1,2.2,2.2")
            + line("GNGSA,A,3,74,85,88,,,,,,,,,,3.1,2.2,2.2")
        #expect(used(text) == "G20 G25 G30 R10 R21 R24")
    }

    @Test func `a number with a decimal point is not a system ID`() throws {
        let gsa = try GSA(line("GPGSA,A,3,24,31,11,15,,,,,,,,,2.2,1.3,1.8,1.4"))
        #expect(gsa.systemID == nil)
        #expect((gsa.pdop, gsa.hdop, gsa.vdop) == (2.2, 1.3, 1.8))
        #expect(used(line("GPGSA,A,3,24,31,11,15,,,,,,,,,2.2,1.3,1.8,1.4")) == "G11 G15 G24 G31")
    }

    @Test func `a GSA of six fields has neither satellites nor DOPs`() throws {
        let text = line("GPGSA,A,1,,,,")
        let gsa = try GSA(text)
        #expect(gsa.fix == .noFix)
        #expect(gsa.satellites.count == 0)
        #expect(gsa.pdop == nil && gsa.hdop == nil && gsa.vdop == nil)
        #expect(decode(text).statistics.accepted == 1)
    }

    @Test func `DOPs of 0 and 99.99 are unknown`() throws {
        let gsa = try GSA(line("GPGSA,A,3,24,31,11,15,,,,,,,,,99.99,0.00,1.8"))
        #expect(gsa.pdop == nil && gsa.hdop == nil)
        #expect(gsa.vdop == 1.8)
    }
}
