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

    @Test func `a heading without the position of its epoch is not a lost fix`() {
        var bytes: [UInt8] = []
        for second in 0..<4 {
            var message = NavRELPOSNED()
            message.timeOfWeekMilliseconds = UBXStream.noon + UInt32(second * 1000)
            (message.heading, message.accuracyHeading) = (45, 0.5)
            message.flags = NavRELPOSNED.Flags(rawValue: 0b1_0011_0111)
            if second != 2 { bytes += UBXStream.pvt(after: second * 1000).frame }
            bytes += message.frame + UBXStream.end(after: second * 1000)
        }
        let fixes = UBXStream.decode(bytes).fixes
        #expect(fixes.map { $0.time?.time.second } == [0, 1, 3])
        #expect(fixes.allSatisfy { $0.mode == .threeD && $0.attitude.heading == 45 })
    }
}
