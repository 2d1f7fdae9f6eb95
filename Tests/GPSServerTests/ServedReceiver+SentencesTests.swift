// SPDX-License-Identifier: MIT
import GPSServer
import GPSTestSupport
import Testing

/// The pieces in which clients receive raw bytes.
@Suite(.timeLimit(.generous))
struct MessageBufferTests {
    /// UBX-MON-VER (a poll), a UBX frame whose payload contains a dollar sign and a line end, and
    /// an empty RTCM 3 frame.
    private static let frames: [[UInt8]] = [
        [0xB5, 0x62, 0x0A, 0x04, 0x00, 0x00, 0x0E, 0x34],
        [0xB5, 0x62, 0x0A, 0x04, 0x03, 0x00, 0x24, 0x0A, 0x0D, 0x4C, 0xFA],
        [0xD3, 0x00, 0x00, 0x47, 0xEA, 0x4B],
    ]
    private static let text = Array("$GPHDT,274.07,T*03\r\n".utf8)
    private static let tagged = Array(
        "\\s:r003669945*09\\!AIVDM,1,1,,A,13u?etPv2;0n:dDPwUM1U1Cb069D,0*24\r\n".utf8)
    private static let messages: [[UInt8]] = [
        text, frames[0], frames[1], tagged, frames[2], Array("$GPHDT,274.07,T*03\n".utf8), text,
    ]

    @Test func `no piece ends within a message, wherever the bytes are divided`() {
        let bytes = Self.messages.flatMap { $0 }
        var ends: Set<Int> = [0]
        var end = 0
        for message in Self.messages {
            end += message.count
            ends.insert(end)
        }
        for first in 1..<bytes.count {
            for second in [first + 1, first + 9, bytes.count] where second <= bytes.count {
                var buffer = MessageBuffer()
                var received: [UInt8] = []
                for piece in [bytes[..<first], bytes[first..<second], bytes[second...]] {
                    received += buffer.push(Array(piece))
                    #expect(ends.contains(received.count), "\(first), \(second)")
                }
                #expect(received == bytes)
                #expect(buffer.isEmpty)
            }
        }
    }

    @Test func `a complete sentence is not kept until the next one is complete`() {
        var buffer = MessageBuffer()
        #expect(buffer.push(Self.text + Self.text.prefix(9)) == Self.text)
        #expect(!buffer.isEmpty)
        #expect(buffer.push(Array(Self.text.dropFirst(9))) == Self.text)
    }

    @Test func `bytes that are not part of a message are returned at once`() {
        var buffer = MessageBuffer()
        let noise = Array("noise\r\n\0\u{1}".utf8) + [0xFF, 0xB5, 0x00]
        #expect(buffer.push(noise) == noise)
        #expect(buffer.isEmpty)
    }

    @Test func `after a silence, the beginning of a message is returned, later its rest`() {
        var buffer = MessageBuffer()
        #expect(buffer.push(Array(Self.text.prefix(9))).isEmpty)
        #expect(buffer.silence() == Array(Self.text.prefix(9)))
        #expect(buffer.push(Array(Self.text[9..<12])).isEmpty)
        #expect(buffer.push(Array(Self.text[12...])) == Array(Self.text[9...]))
        #expect(buffer.silence().isEmpty)
    }

    @Test func `noise like the header of a frame delays sentences only until a silence`() {
        var buffer = MessageBuffer()
        // An RTCM 3 header that announces 1023 bytes.
        #expect(buffer.push([0xD3, 0x03, 0xFF] + Self.text).isEmpty)
        #expect(buffer.silence() == [0xD3, 0x03, 0xFF] + Self.text)
        #expect(buffer.push(Self.text) == Self.text)
    }
}
