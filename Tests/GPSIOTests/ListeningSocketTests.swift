// SPDX-License-Identifier: MIT
import GPSIO
import GPSTestTraits
import Testing

@Suite(.timeLimit(.generous))
struct CANSocketTests {
    @Test func `a frame is written as it is read`() {
        let frame = CANSocket.frame(0x18EA_FF07, [0x00, 0xEE, 0x00])
        #expect(frame.count == 16)
        #expect(frame[4...] == [3, 0, 0, 0, 0x00, 0xEE, 0x00, 0, 0, 0, 0, 0])
        let content = CANSocket.content(of: frame)
        #expect(content?.identifier == 0x18EA_FF07)
        #expect(content?.data == [0x00, 0xEE, 0x00])
    }

    @Test func `only complete frames with long identifiers have content`() {
        let frame = CANSocket.frame(1, [1, 2])
        #expect(CANSocket.content(of: Array(frame.dropLast())) == nil)
        var long = frame
        long[4] = 9
        #expect(CANSocket.content(of: long) == nil)
        // The marks of a short identifier, of a request and of an error are in the first four bytes.
        for mark in [UInt32(0), 0xC000_0000, 0xA000_0000] {
            let head = withUnsafeBytes(of: mark | 1) { Array($0) }
            #expect(CANSocket.content(of: head + frame[4...]) == nil)
        }
    }
}
