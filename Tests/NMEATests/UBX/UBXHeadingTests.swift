// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing
import UBX

@Suite(.timeLimit(.generous)) struct UBXHeadingTests {
    @Test func `a vehicle's heading has the accuracy that the receiver reports`() {
        var message = NavPVAT()
        message.timeOfWeekMilliseconds = UBXStream.noon
        (message.latitude, message.longitude) = (48.2, 16.4)
        (message.heading, message.headingAccuracy) = (91, 0.7)
        // A fix, with and without a heading.
        let headings: [(UInt8, Double?)] = [(0b10_0001, 91), (1, nil)]
        for (flags, heading) in headings {
            (message.fixType, message.flags) = (.combined, NavPVAT.Flags(rawValue: flags))
            let attitude = UBXStream.decode(message.frame).fixes.first?.attitude
            #expect(attitude?.heading == heading)
            #expect(attitude?.headingAccuracy == heading.map { _ in 0.7 })
        }
    }

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
