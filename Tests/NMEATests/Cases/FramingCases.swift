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
    private func isWhole(_ heard: Transcript) -> Bool {
        heard.fix.time?.description == "2024-05-14T08:15:30.000Z"
            && heard.fix.coordinate == Coordinate(latitude: 59.9127, longitude: 10 + 45.133 / 60)
    }

    @Test func `a plain RMC gives position, speed, course, variation and instant`() {
        let heard = hear(rmc)
        #expect(isWhole(heard))
        let knots = 12.0
        #expect(heard.fix.speed == knots * 1852 / 3600)
        #expect(heard.fix.course == 271.5)
        #expect(heard.fix.magneticVariation == -2.5)
        #expect(heard.statistics.accepted == 1)
        #expect(heard.statistics.rejected == 0)
    }

    @Test func `a sentence without a checksum is rejected by default`() {
        let bare = "$" + rmcBody + "\r\n"
        #expect(hear(bare).statistics[.noChecksum] == 1)
        #expect(hear(bare).fixes.isEmpty)
        var options = Framer.Options()
        options.checksum = .acceptMissing
        #expect(isWhole(hear(bare, NMEADecoder(options: options))))
    }

    @Test func `checksum digits may be lower case`() {
        let lowered = "$" + ggaBody + "*" + gga.dropLast().suffix(2).lowercased() + "\r\n"
        #expect(hear(lowered).statistics.accepted == 1)
        let other = line("GPGGA,081530.00,5954.762,N,01045.133,E,1,09,1.2,92.5,M,40.1,M,,7")
        #expect(hear(other.lowercased().replacingAddress()).statistics.accepted == 1)
    }

    @Test func `a single checksum digit is malformed, not missing`() {
        let heard = hear("$" + rmcBody + "*3\r\n")
        #expect(heard.statistics[.malformedChecksum] == 1)
        #expect(heard.statistics[.noChecksum] == 0)
        #expect(heard.fixes.isEmpty)
    }

    @Test func `text that follows the checksum is ignored and counted`() {
        let heard = hear(rmc.dropLast() + ",xyz\r\n")
        #expect(isWhole(heard))
        #expect(heard.statistics.trailingJunk == 1)
    }

    @Test func `a line feed alone ends a sentence`() {
        #expect(isWhole(hear(line(rmcBody, end: "\n"))))
    }

    @Test func `a doubled carriage return is not an error`() {
        let heard = hear(line(rmcBody, end: "\r\r\n"))
        #expect(isWhole(heard))
        #expect(heard.statistics.rejected == 0)
    }

    @Test func `a last sentence without a line end is accepted at the end of the input`() {
        var decoder = NMEADecoder()
        var before = 0
        decoder.push(line(rmcBody, end: "").bytes.span) { _ in before += 1 }
        #expect(before == 0)
        #expect(isWhole(hear(line(rmcBody, end: ""))))
    }

    @Test func `a fragment before a sentence is dropped and counted`() {
        let heard = hear("$GPGGA,081530.00,5954.7" + rmc)
        #expect(isWhole(heard))
        #expect(heard.statistics[.truncated] == 1)
    }

    @Test func `a start character in a text cuts it for any checksum`() {
        let heard = hear(line("GPTXT,01,01,02,price $9"))
        #expect(heard.sentences.isEmpty)
        #expect(heard.statistics[.truncated] == 1)
        #expect(heard.statistics.rejected == 2)
    }

    @Test func `a NUL within a sentence drops it`() {
        var bytes = rmc.bytes
        bytes.insert(0, at: 30)
        let heard = hear(bytes)
        #expect(heard.statistics[.nonPrintable] == 1)
        #expect(heard.fixes.isEmpty)
    }

    @Test func `line noise before and between sentences is junk`() {
        let heard = hear([0xFE, 0xFF, 0x90] + rmc.bytes + [0xFF, 0, 0xFF, 0x80] + gga.bytes)
        #expect(isWhole(heard))
        #expect(heard.statistics.accepted == 2)
        #expect(heard.statistics.junkBytes == 7)
    }

    @Test func `a whole UBX frame is skipped for any payload`() {
        let frame = ubx("$GPGGA\n,\r\n*00".bytes + Array(0..<90))
        let heard = hear(rmc.bytes + frame + gga.bytes)
        #expect(isWhole(heard))
        #expect(heard.sentences.count == 2)
        #expect(heard.statistics.rejected == 0)
        #expect(heard.statistics.ubxFrames == 1)
        #expect(heard.statistics.binaryBytes == frame.count)
    }

    @Test func `a UBX frame within a sentence breaks that sentence only`() {
        let frame = ubx("$GPGGA\n,\r\n*00".bytes + Array(0..<90))
        let heard = hear(rmc.bytes.prefix(31) + frame + gga.bytes)
        #expect(heard.sentences == [String(gga.dropLast())])
        #expect(heard.statistics[.truncated] == 1)
        #expect(heard.statistics.ubxFrames == 1)
    }

    @Test func `an RTK receiver's long GGA is accepted`() {
        let heard = hear(
            line(
                "GNGGA,081530.00,5954.76214358,N,01045.13301924,E,4,14,0.61,92.5317,M,"
                    + "40.1220,M,1.0,0042"))
        #expect(heard.fix.quality == .rtkFixed)
        #expect(heard.fix.altitude == 92.5317)
        #expect(heard.fix.geoidSeparation == 40.122)
        #expect(heard.fix.correctionAge == 1)
        #expect(heard.fix.correctionStation == 42)
    }

    @Test func `two hundred characters are not too long`() {
        let heard = hear(line("GPTXT,01,01,02," + String(repeating: "y", count: 185)))
        #expect(heard.sentences.count == 1)
        #expect(heard.statistics.rejected == 0)
    }

    @Test func `empty sentences are rejected, empty lines are not`() {
        let heard = hear("\r\n\r\n$\r\n$*00\r\n" + line(",") + rmc)
        #expect(isWhole(heard))
        #expect(heard.statistics[.emptyBody] == 3)
        #expect(heard.statistics.rejected == 3)
    }

    @Test func `AIS sentences are passed on unchanged`() {
        let ais = line("AIVDM,1,1,,B,13u?etPv2;0n:dDPwUM1U1Cb069D,0", start: "!")
        let heard = hear(ais + rmc)
        #expect(isWhole(heard))
        #expect(heard.sentences.first == String(ais.dropLast()))
        #expect(heard.statistics.encapsulated == 1)
        #expect(heard.statistics.rejected == 0)
    }

    @Test func `a TAG block with a wrong checksum does not affect its sentence`() {
        let heard = hear("\\s:mast,c:1715674530*00\\" + rmc)
        #expect(isWhole(heard))
        #expect(heard.statistics.tagBlockBad == 1)
        #expect(heard.tagBlocks.isEmpty)
    }

    @Test func `a query is distinguished from data`() {
        let heard = hear(line("ECGPQ,GGA") + rmc)
        #expect(isWhole(heard))
        #expect(heard.statistics.query == 1)
        #expect(heard.statistics.accepted == 1)
    }

    @Test func `a sentence of an unknown talker is decoded by its formatter`() {
        let heard = hear(line("ZQ" + rmcBody.dropFirst(2)))
        #expect(isWhole(heard))
        #expect(heard.sentences.first?.hasPrefix("$ZQRMC") == true)
    }

    @Test func `a sentence with an unknown formatter is passed on raw`() {
        let heard = hear(line("GPQQX,4,5,6") + rmc)
        #expect(isWhole(heard))
        #expect(heard.statistics.raw == 1)
        #expect(heard.statistics.rejected == 0)
    }

    @Test func `an unknown proprietary sentence is passed on raw`() {
        let heard = hear(line("PACM77,some,thing"))
        #expect(heard.statistics.proprietaryRaw == 1)
        #expect(heard.statistics.rejected == 0)
        #expect(heard.sentences.count == 1)
    }

    @Test func `fields padded with blanks are malformed, never read as zero`() {
        let heard = hear(
            line(
                "GPGGA, 081530.00 , 5954.762 , N , 01045.133 , E , 1 , 09 , 1.2 , 92.5 , M , "
                    + "40.1 , M , , "))
        #expect(heard.statistics.accepted == 1)
        #expect(heard.statistics.fieldErrors > 5)
        #expect(heard.fixes.allSatisfy { $0.mode == .noFix && $0.timeOfDay == nil })
    }

    @Test func `two sentences without a line end between them are both accepted`() {
        let heard = hear(rmc.dropLast() + gga)
        #expect(isWhole(heard))
        #expect(heard.statistics.accepted == 2)
        #expect(heard.statistics.glued == 1)
        #expect(heard.statistics.rejected == 0)
    }
}

extension String {
    /// Lower case is valid in checksums, but not in addresses.
    fileprivate func replacingAddress() -> String {
        let star = lastIndex(of: "*") ?? endIndex
        return self[..<star].uppercased() + self[star...]
    }
}
