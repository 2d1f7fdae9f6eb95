// SPDX-License-Identifier: MIT
import GPSTestTraits
import NMEA
import Testing

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
