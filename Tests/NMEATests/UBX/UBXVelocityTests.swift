// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing
import UBX

@Suite(.timeLimit(.generous)) struct UBXVelocityTests {
    /// Returns a solution of a chip of generation 4 to 7, which moves with 10 m/s.
    private func solution() -> NavSOL {
        var message = NavSOL()
        (message.timeOfWeekMilliseconds, message.week) = (UBXStream.noon, 2410)
        (message.fixType, message.flags) = (.threeD, NavSOL.Flags(rawValue: 0b1101))
        (message.x, message.y, message.z) = (4_085_896, 1_200_385, 4_732_884)
        (message.velocityX, message.velocityY) = (-2.82, 9.59)
        (message.accuracy, message.speedAccuracy) = (10, 0.5)
        return message
    }

    @Test func `an accuracy of the course that the message does not report is unknown`() throws {
        let old = try #require(UBXStream.decode(solution().frame).fixes.first)
        #expect(old.course != nil && old.accuracy.speed == 0.5 && old.accuracy.course == nil)
        var message = NavPVAT()
        message.timeOfWeekMilliseconds = UBXStream.noon
        (message.fixType, message.flags) = (.threeD, NavPVAT.Flags(rawValue: 1))
        (message.latitude, message.longitude) = (48.2, 16.4)
        (message.groundSpeed, message.course, message.speedAccuracy) = (10, 90, 0.2)
        let fix = try #require(UBXStream.decode(message.frame).fixes.first)
        #expect(fix.course == 90 && fix.accuracy.speed == 0.2 && fix.accuracy.course == nil)
    }

    @Test func `a velocity in Earth-centred coordinates is used if no other message has one`()
        throws
    {
        var position = NavPOSLLH()
        position.timeOfWeekMilliseconds = UBXStream.noon
        (position.latitude, position.longitude, position.horizontalAccuracy) = (48.2, 16.4, 5)
        let fix = try #require(UBXStream.decode(position.frame, solution().frame).fixes.first)
        #expect(fix.coordinate == Coordinate(latitude: 48.2, longitude: 16.4))
        #expect(abs((fix.speed ?? 0) - 10) < 0.01 && abs((fix.course ?? 0) - 90) < 1)
        #expect(fix.accuracy.horizontal == 5 * 1.07 && fix.accuracy.speed == 0.5)
        var velocity = NavVELNED()
        velocity.timeOfWeekMilliseconds = UBXStream.noon
        (velocity.groundSpeed, velocity.course, velocity.courseAccuracy) = (12, 80, 2)
        for messages in [velocity.frame + solution().frame, solution().frame + velocity.frame] {
            let fix = UBXStream.decode(position.frame, messages).fixes.first
            #expect(fix?.speed == 12 && fix?.course == 80)
        }
    }

    @Test func `a sentence before it does not hide a velocity in Earth-centred coordinates`() throws
    {
        let sentence = line(
            "GNRMC,120000.00,A,4812.4900,N,01622.4300,E,19.4,90.0,210326,,,A"
        ).bytes
        for bytes in [sentence + solution().frame, solution().frame + sentence] {
            let fix = try #require(UBXStream.decode(bytes).fixes.first)
            #expect(fix.climb != nil && fix.accuracy.speed == 0.5)
            #expect(abs((fix.speed ?? 0) - 10) < 0.05)
        }
    }
}
