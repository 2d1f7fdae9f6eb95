// SPDX-License-Identifier: MIT
import GPSTestTraits
import NMEA
import Testing

/// The framing of bytes into sentences.
@Suite(.timeLimit(.generous)) struct FramerTests {
    private let body = "GPXYA,1,2"
    private let text = "$GPXYA,1,2*54"

    private func policy(_ policy: ChecksumPolicy) -> NMEADecoder {
        var options = Framer.Options()
        options.checksum = policy
        return NMEADecoder(options: options)
    }

    @Test func `every byte before a start character is junk`() {
        let decoded = decode("\u{FEFF}u-boot 2019\r\n> " + line(body))
        #expect(decoded.sentences == [text])
        #expect(decoded.statistics.junkBytes == 16)
    }

    @Test(arguments: ["\n", "\r", "\r\n", "\r\r\n"])
    func `each line end ends a sentence, once`(end: String) {
        let decoded = decode(line(body, end: end) + line(body, end: end))
        #expect(decoded.sentences == [text, text])
        #expect(decoded.statistics.rejected == 0)
        #expect(decoded.statistics.glued == 0)
    }

    @Test func `a sentence is not reported before it has ended`() {
        var framer = Framer()
        var count = 0
        framer.push(line(body, end: "").bytes.span) { _ in count += 1 }
        #expect(count == 0)
        framer.push("\r".bytes.span) { _ in count += 1 }
        #expect(count == 1)
    }

    @Test(arguments: [0x00, 0x09, 0x1F, 0x7F, 0x80, 0xE9, 0xFF] as [UInt8])
    func `a non-printable byte drops its sentence and no other`(byte: UInt8) {
        var bytes = line(body).bytes
        bytes.insert(byte, at: 5)
        let decoded = decode(bytes + line(body).bytes)
        #expect(decoded.sentences == [text])
        #expect(decoded.rejections == [Rejection(reason: .nonPrintable, offset: 0)])
        #expect(decoded.statistics.junkBytes == 0)
    }

    @Test func `a doubled start character is an empty sentence and a good one`() {
        let decoded = decode("$" + line(body))
        #expect(decoded.sentences == [text])
        #expect(decoded.rejections == [Rejection(reason: .emptyBody, offset: 0)])
    }

    @Test func `a valid checksum distinguishes a glued sentence from a fragment`() {
        let decoded = decode(text + "$GPXYA,1,2*5C" + text + "\r\n")
        #expect(decoded.sentences == [text, text])
        #expect(decoded.statistics.glued == 1)
        #expect(decoded.rejections == [Rejection(reason: .truncated, offset: 13)])
    }

    @Test func `an encapsulated sentence ends the previous sentence`() {
        let decoded = decode("$GPXYA,1" + line("AIVDM,1", start: "!"))
        #expect(decoded.statistics[.truncated] == 1)
        #expect(decoded.statistics.encapsulated == 1)
    }

    @Test func `the last asterisk begins the checksum`() {
        let decoded = decode(line("GPXYA,5*7,*"))
        #expect(decoded.sentences.count == 1)
    }

    @Test(
        arguments: [
            ("$GPXYA,1,2", .noChecksum), ("$GPXYA,1,2*", .malformedChecksum),
            ("$GPXYA,1,2*5", .malformedChecksum), ("$GPXYA,1,2*5G", .malformedChecksum),
            ("$GPXYA,1,2*5C", .badChecksum), ("$GPXYA,1,3*54", .badChecksum),
        ] as [(String, Rejection.Reason)])
    func `each checksum error has its own reason`(text: String, reason: Rejection.Reason) {
        #expect(decode(text + "\r\n").rejections == [Rejection(reason: reason, offset: 0)])
    }

    @Test func `text after the checksum is counted and has no other effect`() {
        let decoded = decode(text + " end\r\n" + text + "\r\n")
        #expect(decoded.sentences == [text, text])
        #expect(decoded.statistics.trailingJunk == 1)
    }

    @Test(arguments: ["\u{1B}[0m", "\t", "\0", " 21\u{B0}C", "\u{7F}", "\u{1A}"])
    func `bytes after the checksum have no other effect even if they are not printable`(
        end: String
    ) {
        let decoded = decode(text + end + "\r\n" + text + end)
        #expect(decoded.sentences == [text, text])
        #expect(decoded.statistics.trailingJunk == 2)
        #expect(decoded.statistics.rejected + decoded.statistics.glued == 0)
        #expect(decoded.statistics.junkBytes == 0)
        let wrong = decode("$GPXYA,1,2*5C" + end + "\r\n", policy(.ignore))
        #expect(wrong.rejections == [Rejection(reason: .nonPrintable, offset: 0)])
    }

    @Test func `a missing checksum can be accepted, a wrong one cannot`() {
        let decoded = decode(
            "$GPXYA,1,2\r\n$GPXYA,1,2*5C\r\n$GPXYA,1,2*5\r\n", policy(.acceptMissing)
        )
        #expect(decoded.sentences == ["$GPXYA,1,2"])
        #expect(decoded.statistics[.badChecksum] == 1)
        #expect(decoded.statistics[.malformedChecksum] == 1)
    }

    @Test func `checksums can be ignored altogether`() {
        let decoded = decode("$GPXYA,1,2\r\n$GPXYA,1,2*5C\r\n$GPXYA,1,2*5\r\n", policy(.ignore))
        #expect(decoded.sentences.count == 3)
        #expect(decoded.statistics.rejected == 0)
    }

    @Test func `under every policy a fragment needs a valid checksum`() {
        for policy in ChecksumPolicy.allCases {
            let decoder = self.policy(policy)
            #expect(decode("$GPXYA,1" + text + "\r\n", decoder).statistics[.truncated] == 1)
            let cut = expectEveryChunking("$GPXYA,1".bytes, decoder)
            #expect(cut.rejections == [Rejection(reason: .unterminated, offset: 0)])
        }
    }

    @Test func `the length limit applies from the start character to the checksum`() {
        var options = Framer.Options()
        options.maximumLength = 13
        let decoder = NMEADecoder(options: options)
        #expect(expectEveryChunking(line(body).bytes, decoder).sentences == [text])
        let decoded = expectEveryChunking(line(body + "3").bytes + line(body).bytes, decoder)
        #expect(decoded.sentences == [text])
        #expect(decoded.rejections == [Rejection(reason: .overlong, offset: 0)])
    }

    @Test func `an endless run is counted once, and a start character within it is found`() {
        let run = "$" + String(repeating: "z", count: 5000)
        let decoded = decode(run + line(body))
        #expect(decoded.sentences == [text])
        #expect(decoded.rejections == [Rejection(reason: .overlong, offset: 0)])
        #expect(decoded.statistics.junkBytes == 0)
    }

    @Test(arguments: ["$\r\n", "$*00\r\n", "$,*2C\r\n", "!\r\n", "$,1,2*2E\r\n"])
    func `a sentence without an address is empty`(text: String) {
        #expect(decode(text).rejections == [Rejection(reason: .emptyBody, offset: 0)])
    }

    @Test func `the end of the input ends a sentence with a valid checksum`() {
        #expect(decode(text).sentences == [text])
        let cut = expectEveryChunking(Array(text.bytes.dropLast()))
        #expect(cut.rejections == [Rejection(reason: .unterminated, offset: 0)])
    }

    @Test func `whole RTCM frames are skipped`() {
        let frame = rtcm("$GPXYA\r\n".bytes + Array(repeating: 0xD3, count: 40))
        let decoded = decode(line(body).bytes + frame + frame + line(body).bytes)
        #expect(decoded.sentences == [text, text])
        #expect(decoded.statistics.rtcmFrames == 2)
        #expect(decoded.statistics.binaryBytes == 2 * frame.count)
        #expect(decoded.statistics.junkBytes == 0)
    }

    @Test func `a frame with a wrong check value is skipped byte by byte`() {
        for var frame in [ubx(line(body).bytes), rtcm(line(body).bytes)] {
            frame[frame.count - 1] ^= 1
            let decoded = decode(frame)
            #expect(decoded.sentences == [text])
            #expect(decoded.statistics.ubxFrames + decoded.statistics.rtcmFrames == 0)
        }
    }

    @Test func `a UBX header with an impossible length does not begin a frame`() {
        let decoded = decode([0xB5, 0x62, 0x01, 0x02, 0xFF, 0xFF] + line(body).bytes)
        #expect(decoded.sentences == [text])
        #expect(decoded.statistics.junkBytes == 6)
    }

    @Test func `a frame cut off by the end of the input is junk, sentences after it are not`() {
        let decoded = decode([0xB5, 0x62, 0x01, 0x02, 0xFF, 0x00] + line(body).bytes)
        #expect(decoded.sentences == [text])
        #expect(decoded.statistics.junkBytes == 6)
    }

    @Test func `a frame ends the sentence it starts in`() {
        for frame in [ubx([1, 2, 3]), rtcm([1, 2, 3])] {
            let decoded = decode("$GPXYA,1".bytes + frame + line(body).bytes)
            #expect(decoded.sentences == [text])
            #expect(decoded.rejections == [Rejection(reason: .truncated, offset: 0)])
            #expect(decoded.statistics.binaryBytes == frame.count)
        }
    }

    @Test func `a sentence cut off by a frame is complete if its checksum is valid`() {
        let decoded = decode(text.bytes + ubx([1, 2, 3]))
        #expect(decoded.sentences == [text])
        #expect(decoded.statistics.glued == 1)
    }

    @Test func `a TAG block is reported before its sentence`() {
        let tag = line("s:mast,c:1715674530,g:1-2-33", start: "\\", end: "\\")
        let decoded = decode(tag + line(body))
        #expect(
            decoded.events == [
                .tagBlock(TagBlock(text: "s:mast,c:1715674530,g:1-2-33")), .sentence(text),
            ])
        #expect(decoded.statistics.tagBlocks == 1)
        #expect(decoded.statistics.junkBytes == 0)
    }

    @Test func `a backslash that does not begin a TAG block is junk`() {
        let decoded = decode("\\x\r\n" + line(body))
        #expect(decoded.sentences == [text])
        #expect(decoded.statistics.junkBytes == 2)
    }

    @Test func `in recordings, lines that begin with a number sign are comments`() {
        var options = Framer.Options()
        options.skipsComments = true
        let decoder = NMEADecoder(options: options)
        let possible = "# " + String(repeating: "ä", count: 400)
        for start in ["# before: ", "#", "#\t\\", "# für Ӧ, 東京 und 🛰: ", possible] {
            let decoded = decode(start + line(body) + line(body), decoder)
            #expect(decoded.sentences == [text], "\(start)")
            #expect(decoded.statistics.junkBytes == start.utf8.count + text.utf8.count)
            #expect(expectEveryChunking((start + text).bytes, decoder).sentences.isEmpty)
            #expect(decode(start + line(body)).sentences == [text])
        }
        // The line begins differently, contains binary data, is a log of NovAtel's receivers, or is
        // too long.
        let long = "# " + String(repeating: "a", count: 1024)
        for start in ["x# ", "#\u{1}", "#BESTPOSA,", long] {
            #expect(decode(start + line(body), decoder).sentences == [text], "\(start)")
        }
        for place in 2..<22 {
            func comment(_ byte: UInt8) -> [UInt8] {
                var bytes = ("# " + String(repeating: "a", count: 20)).bytes
                bytes[place] = byte
                return bytes + line(body).bytes
            }
            for byte in [0x1F, 0x7F] as [UInt8] {
                #expect(decode(comment(byte), decoder).sentences == [text], "\(byte) at \(place)")
            }
            for byte in [0x09, 0x20, 0x7E] as [UInt8] {
                #expect(decode(comment(byte), decoder).sentences.isEmpty, "\(byte) at \(place)")
            }
        }
        // These bytes are not UTF-8.
        for bytes in [[0xFC], [0xC3, 0x20], [0x80], [0xC1, 0x80], [0xE2, 0x82]] as [[UInt8]] {
            #expect(decode("# ".bytes + bytes + line(body).bytes, decoder).sentences == [text])
        }
    }

    @Test func `a number sign within a frame does not begin a comment`() {
        var options = Framer.Options()
        options.skipsComments = true
        let frame = ubx("\n# a".bytes)
        let decoded = decode(frame + line(body).bytes, NMEADecoder(options: options))
        #expect(decoded.sentences == [text])
        #expect(decoded.statistics.ubxFrames == 1)
    }

    @Test func `other binary protocols are junk`() {
        let sirf: [UInt8] = [0xA0, 0xA2, 0x00, 0x02, 0x04, 0x05, 0x00, 0x09, 0xB0, 0xB3]
        let decoded = decode(sirf + line(body).bytes)
        #expect(decoded.sentences == [text])
        #expect(decoded.statistics.junkBytes == sirf.count)
    }

    @Test func `offsets count every byte of the stream`() {
        let decoded = decode([0xFE] + ubx([9]) + "$GPXYA,1\r\n".bytes + "$GPXYB,1\r\n".bytes)
        #expect(decoded.rejections.map(\.offset) == [10, 20])
    }

    @Test func `statistics have the offset of the last rejection of each kind`() {
        let decoded = decode("$GPXYA,1\r\n$GPXYA,1,2*00\r\n$GPXYB,1\r\n")
        #expect(decoded.statistics[.noChecksum] == 2)
        #expect(decoded.statistics.lastOffset(of: .noChecksum) == 25)
        #expect(decoded.statistics.lastOffset(of: .badChecksum) == 10)
        #expect(decoded.statistics.lastOffset(of: .overlong) == nil)
    }

    @Test(arguments: [Int.min, -5, 0, 1, 5000, Int.max])
    func `the framer makes progress for every length`(length: Int) {
        var options = Framer.Options()
        options.maximumLength = length
        #expect(1...4095 ~= options.maximumLength)
        var framer = Framer(options: options)
        var count = 0
        let long = "$GPTXT," + String(repeating: "x", count: 6000) + "\r\n"
        framer.push(("\n\nxx$GPGGA,1*00\r\n" + long).bytes.span) { _ in count += 1 }
        framer.finish { _ in count += 1 }
        #expect(1...10 ~= count)
    }

    @Test func `a body ends at the first line end or binary byte, at any distance and offset`() {
        for end in [UInt8(ascii: "\n"), UInt8(ascii: "\r"), 0xB5, 0xD3] {
            for start in 0..<20 {
                for length in 0..<40 {
                    let body = [UInt8](repeating: UInt8(ascii: "x"), count: start + length)
                    let longer = body + [end] + Array("xx\n".utf8)
                    #expect(Framer.endOfBody(body.span, from: start) == body.count)
                    #expect(Framer.endOfBody((body + [end]).span, from: start) == body.count)
                    #expect(Framer.endOfBody(longer.span, from: start) == body.count)
                }
            }
        }
        #expect(Framer.endOfBody([UInt8]().span, from: 0) == 0)
    }
}

@Suite(.timeLimit(.generous)) struct FrameChecksumTests {
    /// A message 1005, the example in documents about RTCM 3.
    @Test func `an RTCM 3 frame ends with the CRC-24Q of the preceding bytes`() {
        let frame: [UInt8] = [
            0xD3, 0x00, 0x13, 0x3E, 0xD7, 0xD3, 0x02, 0x02, 0x98, 0x0E, 0xDE, 0xEF, 0x34, 0xB4,
            0xBD, 0x62, 0xAC, 0x09, 0x41, 0x98, 0x6F, 0x33,
        ]
        #expect(FrameChecksum.rtcm3(frame.span) == 0x36_0B98)
    }
}
