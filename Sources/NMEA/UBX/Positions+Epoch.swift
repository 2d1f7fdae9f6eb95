// SPDX-License-Identifier: MIT
import GNSS
import UBX

// Messages with a part of a solution. Generations up to 7 need several of them for a fix.

extension NavHPPOSLLH: TimedMessage {
    /// The position to a tenth of a millimetre.
    func contribute(to epoch: inout Epoch) {
        // The largest number means unknown.
        guard !flags.isPositionInvalid, horizontalAccuracy < 400_000 else { return }
        epoch.refine(
            Coordinate(latitude: latitude, longitude: longitude), altitude: altitude,
            ellipsoidalAltitude: ellipsoidalAltitude, isHighPrecision: true)
        epoch.refine(accuracy: horizontalAccuracy, verticalAccuracy, isHighPrecision: true)
        epoch.reportFix()
    }
}

extension NavPOSLLH: TimedMessage {
    /// The position. Whether it is valid is in `NAV-STATUS` or `NAV-SOL`.
    func contribute(to epoch: inout Epoch) {
        guard horizontalAccuracy != nil else { return }
        epoch.refine(
            Coordinate(latitude: latitude, longitude: longitude), altitude: altitude,
            ellipsoidalAltitude: ellipsoidalAltitude)
        epoch.refine(accuracy: horizontalAccuracy, verticalAccuracy)
    }
}

extension NavVELNED: TimedMessage {
    /// Speed, course and climb.
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

    /// Whether there is a fix, and its kind.
    func contribute(to epoch: inout Epoch) {
        let solution = NavigationSolution(
            fixType: fixType, isFixOK: flags.isFixOK, isDifferential: flags.isDifferential,
            carrierSolution: detection.carrierSolution)
        _ = solution.report(to: &epoch)
    }
}

extension NavSOL: TimedMessage {
    var time: WeekClock.Report {
        guard flags.hasWeek, flags.hasTimeOfWeek else { return .unknown }
        let time = Int64(timeOfWeekMilliseconds) * 1_000_000 + Int64(nanoseconds)
        return .gps(GPSTime(week: Int(week), nanoseconds: time), leapSeconds: nil)
    }

    /// Whether there is a fix; position and velocity if no other message has them.
    func contribute(to epoch: inout Epoch) {
        let solution = NavigationSolution(
            fixType: fixType, isFixOK: flags.isFixOK, isDifferential: flags.isDifferential)
        epoch.refine(\.satellitesUsed, Int(satellitesUsed))
        epoch.refine(\.dilution.pdop, positionDilution)
        guard solution.report(to: &epoch), epoch.fix.coordinate == nil else { return }
        let point = Vector(x: x, y: y, z: z)
        guard let place = WGS84.place(of: point) else { return }
        epoch.refine(
            place.coordinate, altitude: nil, ellipsoidalAltitude: place.height)
        epoch.refine(sphericalAccuracy: accuracy)
        let velocity = Vector(x: velocityX, y: velocityY, z: velocityZ)
        let local = WGS84.local(velocity, at: place.coordinate)
        let speed = (local.north * local.north + local.east * local.east).squareRoot()
        let course = PortableMath.atan2(local.east, local.north).degrees
        GroundVelocity(
            speed: speed, course: course, down: -local.up, speedAccuracy: speedAccuracy,
            // The course is known where the speed is above its own error.
            courseAccuracy: speed > speedAccuracy ? 0 : 180
        ).contribute(to: &epoch)
    }
}

extension NavRELPOSNED: TimedMessage {
    /// The heading of two antennas.
    func contribute(to epoch: inout Epoch) {
        guard flags.isFixOK, flags.isValid, flags.isHeadingValid else { return }
        epoch.refine(\.attitude.heading, heading.wrappedDegrees)
        epoch.refine(\.attitude.headingAccuracy, accuracyHeading)
    }
}
