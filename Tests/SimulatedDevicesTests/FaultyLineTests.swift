// SPDX-License-Identifier: MIT
import GPSTestTraits
import SimulatedDevices
import Testing

/// A line read at another rate, with results calculated by hand.
@Suite(.timeLimit(.generous))
struct MisreadLineTests {
    private let text = Array("$GPGGA,123519,4807.038,N*47\r\n".utf8)

    @Test(arguments: [(9600, 9600), (9600, 9700), (115_200, 114_000)])
    func `rates within a UART's tolerance do not change the bytes`(_ sent: Int, _ read: Int) {
        #expect(MisreadLine.read(text, sentAt: sent, readAt: read) == text)
    }

    @Test func `at twice the rate each bit is read twice, up to the stop bit`() {
        // U is 0101 0101 b: the line is 0 10101010 1, the lowest bit first. Read twice as fast:
        // start 0, then 0 11 00 11 0 = 0x66, stop 0; and again from the next falling edge on.
        #expect(MisreadLine.read([0x55], sentAt: 4800, readAt: 9600).first == 0x66)
        // 0 is low for nine bits, read as eighteen: only a framing error, and idle.
        #expect(MisreadLine.read([0x00], sentAt: 4800, readAt: 9600) == [0x00])
        // All ones: low for the start bit only, whose second half is the lowest bit.
        #expect(MisreadLine.read([0xFF], sentAt: 4800, readAt: 9600) == [0xFE])
    }

    @Test func `a low level of half a bit is not a start bit`() {
        #expect(MisreadLine.read([0xFF], sentAt: 9600, readAt: 4800) == [])
    }

    @Test(arguments: [(4800, 9600), (9600, 4800), (9600, 38_400), (115_200, 9600)])
    func `no sentence of a receiver is readable`(_ sent: Int, _ read: Int) {
        let long = Array(repeating: text, count: 40).flatMap { $0 }
        let received = MisreadLine.read(long, sentAt: sent, readAt: read)
        #expect(!received.isEmpty)
        #expect(!String(decoding: received, as: UTF8.self).contains("GPGGA"))
        // At most as many bytes as fit in the time.
        #expect(received.count <= long.count * read / sent + 1)
    }

    @Test func `an idle line gives no bytes`() {
        #expect(MisreadLine.read([], sentAt: 4800, readAt: 9600) == [])
    }
}
