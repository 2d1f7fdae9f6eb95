// SPDX-License-Identifier: MIT
import GNSS
import UBX

// Each of these messages contains a part of a solution. Receivers up to generation 7 report a fix
// by several of them.

extension NavHPPOSLLH: TimedMessage {
    /// Sets the high-precision position, with a resolution of 0.1 mm.
    func contribute(to epoch: inout Epoch) {
        // The highest accuracy value means that the accuracy is unknown.
        guard !flags.isPositionInvalid, horizontalAccuracy < 400_000 else { return }
        epoch.refine(
            Coordinate(latitude: latitude, longitude: longitude), altitude: altitude,
            ellipsoidalAltitude: ellipsoidalAltitude, isHighPrecision: true)
        epoch.refine(accuracy: horizontalAccuracy, verticalAccuracy, isHighPrecision: true)
        epoch.reportFix()
    }
}

extension NavPOSLLH: TimedMessage {
    /// Sets the position. Whether it is valid is reported by `NAV-STATUS` or `NAV-SOL`.
    func contribute(to epoch: inout Epoch) {
        guard horizontalAccuracy != nil else { return }
        epoch.refine(
            Coordinate(latitude: latitude, longitude: longitude), altitude: altitude,
            ellipsoidalAltitude: ellipsoidalAltitude)
        epoch.refine(accuracy: horizontalAccuracy, verticalAccuracy)
    }
}

extension NavVELNED: TimedMessage {
    /// Sets speed, course and climb rate.
    func contribute(to epoch: inout Epoch) {
        GroundVelocity(
            speed: groundSpeed, course: course, down: velocityDown, speedAccuracy: speedAccuracy,
            courseAccuracy: courseAccuracy
        ).contribute(to: &epoch)
    }
}

extension NavSTATUS: TimedMessage {
    static func receive(_ frame: UBXFrame, into assembler: inout FixAssembler) -> Bool {
        guard let message = Self(frame) else { return false }
        assembler.receive(message)
        assembler.interference.spoofing(message.detection.spoofing, at: assembler.satellites.clock)
        return true
    }

    /// Records whether there is a fix, and its dimensions and quality.
    func contribute(to epoch: inout Epoch) {
        let solution = NavigationSolution(
            fixType: fixType, isFixOK: flags.isFixOK, isDifferential: flags.isDifferential,
            carrierSolution: corrections.isCarrierValid ? detection.carrierSolution : .none)
        _ = solution.report(to: &epoch)
    }
}

extension NavSOL: TimedMessage {
    var time: WeekClock.Report {
        guard flags.hasWeek, flags.hasTimeOfWeek else { return .unknown }
        let time = Int64(timeOfWeekMilliseconds) * 1_000_000 + Int64(nanoseconds)
        return .gps(GPSTime(week: Int(week), nanoseconds: time), leapSeconds: nil)
    }

    /// Records whether there is a fix. Sets position and velocity unless other messages have
    /// already reported them.
    func contribute(to epoch: inout Epoch) {
        let solution = NavigationSolution(
            fixType: fixType, isFixOK: flags.isFixOK, isDifferential: flags.isDifferential)
        epoch.refine(\.satellitesUsed, Int(satellitesUsed))
        epoch.refine(\.dilution.pdop, positionDilution)
        guard solution.report(to: &epoch),
            let position = WGS84.geodeticPosition(of: Vector(x: x, y: y, z: z))
        else { return }
        if epoch.fix.coordinate == nil {
            epoch.refine(position.coordinate, altitude: nil, ellipsoidalAltitude: position.height)
            epoch.refine(sphericalAccuracy: accuracy)
        }
        // A sentence such as RMC reports a velocity without its vertical part and its accuracy.
        if epoch.fix.climb == nil { velocity(at: position.coordinate).contribute(to: &epoch) }
    }

    private func velocity(at position: Coordinate) -> GroundVelocity {
        let velocity = Vector(x: velocityX, y: velocityY, z: velocityZ)
        let local = WGS84.local(velocity, at: position)
        let speed = (local.north * local.north + local.east * local.east).squareRoot()
        return GroundVelocity(
            speed: speed, course: PortableMath.atan2(local.east, local.north).degrees,
            down: -local.up, speedAccuracy: speedAccuracy,
            // The course is known if the speed is greater than its own error.
            courseAccuracy: speed > speedAccuracy ? nil : 180)
    }
}

extension NavRELPOSNED: TimedMessage {
    /// Sets the heading determined from two antennas on one vehicle (moving base). The direction
    /// from a fixed base station does not show where the vehicle points.
    func contribute(to epoch: inout Epoch) {
        guard flags.isFixOK, flags.isValid, flags.isHeadingValid, flags.isBaseMoving else { return }
        epoch.refine(\.attitude.heading, heading.wrappedDegrees)
        epoch.refine(\.attitude.headingAccuracy, accuracyHeading)
    }
}
