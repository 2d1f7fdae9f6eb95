// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing
import UBX

@Suite(.timeLimit(.generous)) struct UBXHeadingTests {
    @Test func `only a base on the same vehicle gives a heading`() {
        var message = NavRELPOSNED()
        message.timeOfWeekMilliseconds = UBXStream.noon
        (message.heading, message.accuracyHeading, message.coarseLength) = (45, 0.5, 100)
        // Fix, corrections, a valid relative position and heading, fixed ambiguities.
        let valid: UInt32 = 0b1_0001_0111
        let headings: [(UInt32, Double?)] = [
            (valid | 1 << 5, 45), (valid, nil), (1 << 5 | 0b111, nil),
        ]
        for (flags, heading) in headings {
            message.flags = NavRELPOSNED.Flags(rawValue: flags)
            let fix = UBXStream.decode(UBXStream.pvt().frame, message.frame).fixes.first
            #expect(fix?.attitude.heading == heading)
            #expect(fix?.attitude.headingAccuracy == heading.map { _ in 0.5 })
        }
    }
}
