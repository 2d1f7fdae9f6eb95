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
