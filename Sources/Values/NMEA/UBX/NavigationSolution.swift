// SPDX-License-Identifier: MIT
import GNSS
import UBX

/// The values that NAV-PVT, NAV-PVAT and similar messages have in common.
private struct NavigationSolution {
    var fixType: UBXFixType
    var isFixOK: Bool
    var isDifferential: Bool
    var carrierSolution = UBXCarrierSolution.none

    /// The dimensions of the fix; `nil` without a fix.
    var mode: FixMode? {
        guard isFixOK else { return nil }
        switch fixType {
        case .twoD: return .twoD
        // A time-only fix has the receiver's surveyed position, which is three-dimensional.
        case .deadReckoning, .threeD, .combined, .timeOnly: return .threeD
        default: return nil
        }
    }

    private var quality: FixQuality {
        switch (carrierSolution, fixType) {
        case (.fixed, _): .rtkFixed
        case (.float, _): .rtkFloat
        case (_, .deadReckoning): .estimated
        case (_, .timeOnly): .manual
        default: isDifferential ? .differential : .autonomous
        }
    }

    /// Records whether there is a fix, and its dimensions and quality. Returns `false` if there is
    /// no fix.
    func report(to epoch: inout Epoch) -> Bool {
        guard let mode else {
            epoch.reportNoFix()
            return false
        }
        epoch.reportSolution(mode)
        epoch.fill(unmarked: quality)
        return true
    }
}

extension Epoch {
    /// Records whether the solution is 2D or 3D. The epoch's other messages and sentences do not
    /// change this any more.
    fileprivate mutating func reportSolution(_ mode: FixMode) {
        let before = evidence.mode
        evidence.solve(mode)
        if evidence.mode != before { hasContribution = true }
    }

    /// The heights that are accepted, in metres: up to low orbits, and below the ground because the
    /// first fixes of a receiver may be wrong. Others are overflows or wrong solutions.
    static let heights = -20_000...2_000_000.0

    /// Sets the magnetic variation. Values outside the range of valid angles are ignored.
    mutating func refine(magneticVariation: Double?) {
        guard let magneticVariation, abs(magneticVariation) <= 180 else { return }
        refine(\.magneticVariation, magneticVariation)
    }
}

/// A velocity over ground, in metres per second.
private struct GroundVelocity {
    var speed: Double
    /// The course in degrees from true north.
    var course: Double
    var down: Double
    /// The one-sigma accuracy of the speed in metres per second.
    var speedAccuracy: Double
    /// The one-sigma accuracy of the course in degrees: 180 if the course is unknown; `nil` if the
    /// message does not report it.
    var courseAccuracy: Double?

    /// The speeds that are accepted, in metres per second. Even satellites in low orbit are slower
    /// than 10 km/s.
    private static let range = 0...10_000.0

    /// Sets speed, course and climb rate. If the speed is out of range, none of them is set.
    func contribute(to epoch: inout Epoch) {
        guard Self.range.contains(speed) else { return }
        epoch.refine(\.speed, speed)
        epoch.refine(\.climb, -down)
        epoch.refine(\.accuracy.speed, speedAccuracy)
        guard courseAccuracy ?? 0 < 180 else { return }
        epoch.refine(\.course, course.wrappedDegrees)
        epoch.refine(\.accuracy.course, courseAccuracy)
    }
}

extension NavPVT.Validity {
    /// Returns the accuracy of the UTC time in seconds, from the accuracy that the receiver reports.
    /// Until the leap seconds are known, the time may be whole seconds off.
    func accuracy(_ reported: Double) -> Double { isFullyResolved ? reported : max(reported, 1) }
}

extension NavPVT: TimedMessage {
    var time: WeekClock.ReportedTime {
        WeekClock.ReportedTime(
            year: year, month: month, day: day, hour: hour, minute: minute, second: second,
            nanoseconds: nanoseconds, isDateKnown: validity.hasDate,
            isTimeKnown: validity.hasTime)
    }

    /// Sets the complete fix. Without a fix, sets only the values that do not depend on one.
    func contribute(to epoch: inout Epoch) {
        let solution = NavigationSolution(
            fixType: fixType, isFixOK: flags.isFixOK && !moreFlags.isPositionInvalid,
            isDifferential: flags.isDifferential, carrierSolution: flags.carrierSolution)
        // Some firmware sets the highest bit, which is not part of the number.
        epoch.refine(\.satellitesUsed, Int(satellitesUsed & 0x7F))
        epoch.refine(\.dilution.pdop, positionDilution)
        epoch.refine(magneticVariation: magneticDeclination)
        if validity.hasTime {
            epoch.refine(\.accuracy.time, validity.accuracy(timeAccuracy))
            var clock = epoch.fix.receiverClock ?? ReceiverClock()
            clock.bias = WeekClock.ReportedTime.fraction(nanoseconds).map { $0 % 1_000_000 }
            epoch.refine(\.receiverClock, clock)
        }
        guard solution.report(to: &epoch) else { return }
        epoch.refine(
            Coordinate(latitude: latitude, longitude: longitude), altitude: altitude,
            ellipsoidalAltitude: ellipsoidalAltitude)
        epoch.refine(accuracy: horizontalAccuracy, verticalAccuracy)
        epoch.refine(\.attitude.heading, vehicleHeading?.wrappedDegrees)
        GroundVelocity(
            speed: groundSpeed, course: course, down: velocityDown, speedAccuracy: speedAccuracy,
            courseAccuracy: courseAccuracy
        ).contribute(to: &epoch)
    }
}

extension NavPVAT: TimedMessage {
    var time: WeekClock.ReportedTime {
        WeekClock.ReportedTime(
            year: year, month: month, day: day, hour: hour, minute: minute, second: second,
            nanoseconds: nanoseconds, isDateKnown: validity.hasDate,
            isTimeKnown: validity.hasTime)
    }

    /// Sets the complete fix and the attitude of the vehicle.
    func contribute(to epoch: inout Epoch) {
        let solution = NavigationSolution(
            fixType: fixType, isFixOK: flags.isFixOK, isDifferential: flags.isDifferential,
            carrierSolution: flags.carrierSolution)
        epoch.refine(\.satellitesUsed, Int(satellitesUsed))
        epoch.refine(magneticVariation: magneticDeclination)
        if validity.hasTime {
            epoch.refine(\.accuracy.time, validity.accuracy(timeAccuracy))
        }
        guard solution.report(to: &epoch) else { return }
        epoch.refine(
            Coordinate(latitude: latitude, longitude: longitude), altitude: altitude,
            ellipsoidalAltitude: ellipsoidalAltitude)
        epoch.refine(accuracy: horizontalAccuracy, verticalAccuracy)
        if let heading {
            epoch.refine(\.attitude.heading, heading.wrappedDegrees)
            epoch.refine(\.attitude.headingAccuracy, headingAccuracy)
        }
        epoch.refine(\.attitude.pitch, pitch)
        epoch.refine(\.attitude.roll, roll)
        GroundVelocity(
            speed: groundSpeed, course: course, down: velocityDown, speedAccuracy: speedAccuracy
        ).contribute(to: &epoch)
    }
}

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
        assembler.report(\.spoofing, SpoofingState(message.detection.spoofing), from: .status)
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
    var time: WeekClock.ReportedTime {
        guard flags.hasWeek, flags.hasTimeOfWeek else { return .unknown }
        let time =
            Int64(timeOfWeekMilliseconds) * 1_000_000
            + Int64(WeekClock.ReportedTime.fraction(nanoseconds) ?? 0)
        return .gps(GPSTime(week: Int(week), nanoseconds: time), leapSeconds: nil)
    }

    /// Records whether there is a fix. Sets position and velocity unless other messages have
    /// already reported them.
    func contribute(to epoch: inout Epoch) {
        let solution = NavigationSolution(
            fixType: fixType, isFixOK: flags.isFixOK, isDifferential: flags.isDifferential)
        epoch.refine(\.satellitesUsed, Int(satellitesUsed))
        epoch.refine(\.dilution.pdop, positionDilution)
        guard solution.report(to: &epoch) else { return }
        epoch.refineDetails {
            $0.setPosition(x, y, z, accuracy)
            $0.setVelocity(velocityX, velocityY, velocityZ, speedAccuracy)
        }
        guard let position = WGS84.geodeticPosition(of: Vector(x: x, y: y, z: z)) else { return }
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
    /// Sets the heading determined from two antennas on one vehicle (moving base), and the vector
    /// between them. The direction from a fixed base station does not show where the vehicle points.
    func contribute(to epoch: inout Epoch) {
        guard flags.isFixOK, flags.isValid, flags.isBaseMoving else { return }
        epoch.refine(\.corrections.baselineNorth, north)
        epoch.refine(\.corrections.baselineEast, east)
        epoch.refine(\.corrections.baselineDown, down)
        guard flags.isHeadingValid else { return }
        epoch.refine(\.attitude.heading, heading.wrappedDegrees)
        epoch.refine(\.attitude.headingAccuracy, accuracyHeading)
    }
}

extension NavATT: TimedMessage {
    /// Sets the attitude, as far as it is known.
    func contribute(to epoch: inout Epoch) {
        if headingAccuracy > 0, headingAccuracy < 180 {
            epoch.refine(\.attitude.heading, heading.wrappedDegrees)
            epoch.refine(\.attitude.headingAccuracy, headingAccuracy)
        }
        if pitchAccuracy > 0 { epoch.refine(\.attitude.pitch, pitch) }
        if rollAccuracy > 0 { epoch.refine(\.attitude.roll, roll) }
    }
}

extension NavDOP: TimedMessage {
    /// Sets the PDOP, HDOP and VDOP. A fix stores no other DOPs.
    func contribute(to epoch: inout Epoch) {
        epoch.refine(\.dilution.hdop, horizontal)
        epoch.refine(\.dilution.vdop, vertical)
        epoch.refine(\.dilution.pdop, position)
    }
}

extension NavCOV: TimedMessage {
    /// Sets the covariances of position and velocity, and the standard deviations calculated from
    /// them.
    func contribute(to epoch: inout Epoch) {
        if isPositionValid == 1 {
            let covariance = Covariance(
                northNorth: positionNN, northEast: positionNE, northDown: positionND,
                eastEast: positionEE, eastDown: positionED, downDown: positionDD)
            epoch.refine(\.covariance, covariance)
            if let covariance {
                epoch.refine(
                    \.standardDeviation.latitude, Double(covariance.northNorth).squareRoot())
                epoch.refine(
                    \.standardDeviation.longitude, Double(covariance.eastEast).squareRoot())
                epoch.refine(
                    \.standardDeviation.altitude, Double(covariance.downDown).squareRoot())
            }
        }
        guard isVelocityValid == 1 else { return }
        epoch.refine(
            \.velocityCovariance,
            Covariance(
                northNorth: velocityNN, northEast: velocityNE, northDown: velocityND,
                eastEast: velocityEE, eastDown: velocityED, downDown: velocityDD))
    }
}

extension NavPL: TimedMessage {
    /// Sets the protection level of the position if it is valid.
    func contribute(to epoch: inout Epoch) {
        guard isPositionValid == 1, 1...3 ~= positionFrame, 0...1 ~= risk else { return }
        epoch.refine(
            \.protectionLevel,
            ProtectionLevel(
                horizontal: Float(horizontal), vertical: Float(position3), risk: Float(risk)))
    }

    /// The horizontal bound in metres. The levels of an ellipse (frame 3) are its axes. Those of
    /// the other frames bound the errors along two axes, and both errors may reach their bounds.
    private var horizontal: Double {
        guard positionFrame != 3 else { return max(position1, position2) }
        return (position1 * position1 + position2 * position2).squareRoot()
    }

    /// The integrity risk as a probability, 0 to 1. The message contains it in per cent, as a
    /// coefficient and a power of ten.
    private var risk: Double {
        let steps = abs(Int(riskExponent))
        return (0..<steps).reduce(Double(riskCoefficient) / 100) { value, _ in
            riskExponent < 0 ? value / 10 : value * 10
        }
    }
}

extension NavTIMEUTC: TimedMessage {
    var time: WeekClock.ReportedTime {
        WeekClock.ReportedTime(
            year: year, month: month, day: day, hour: hour, minute: minute, second: second,
            nanoseconds: nanoseconds, isDateKnown: validity.isUTC && validity.hasWeek,
            isTimeKnown: validity.isUTC && validity.hasTimeOfWeek)
    }

    /// Sets the accuracy of the time.
    func contribute(to epoch: inout Epoch) {
        if validity.isUTC { epoch.refine(\.accuracy.time, timeAccuracy) }
    }
}

extension NavTIMEGPS: TimedMessage {
    var time: WeekClock.ReportedTime {
        guard validity.hasWeek, validity.hasTimeOfWeek else { return .unreported }
        let time =
            Int64(timeOfWeekMilliseconds) * 1_000_000
            + Int64(WeekClock.ReportedTime.fraction(nanoseconds) ?? 0)
        return .gps(
            GPSTime(week: Int(week), nanoseconds: time),
            leapSeconds: validity.hasLeapSeconds ? Int(leapSeconds) : nil)
    }

    /// Sets the leap seconds.
    func contribute(to epoch: inout Epoch) {
        if validity.hasLeapSeconds { epoch.refine(\.leapSeconds, leapSeconds) }
    }
}

// Whether the position is valid is reported by other messages.

extension NavPOSECEF: TimedMessage {
    /// Sets the Earth-centred position.
    func contribute(to epoch: inout Epoch) {
        guard let accuracy else { return }
        epoch.refineDetails { $0.setPosition(x, y, z, accuracy) }
    }
}

extension NavHPPOSECEF: TimedMessage {
    /// Sets the Earth-centred position with a resolution of 0.1 mm.
    func contribute(to epoch: inout Epoch) {
        // The highest accuracy value means that the accuracy is unknown.
        guard !flags.isPositionInvalid, let accuracy, accuracy < 400_000 else { return }
        epoch.refineDetails {
            $0.x = nil
            $0.setPosition(x, y, z, accuracy)
        }
    }
}

extension NavVELECEF: TimedMessage {
    /// Sets the Earth-centred velocity.
    func contribute(to epoch: inout Epoch) {
        guard let accuracy else { return }
        epoch.refineDetails { $0.setVelocity(velocityX, velocityY, velocityZ, accuracy) }
    }
}

extension NavEELL: TimedMessage {
    /// Sets the error ellipse.
    func contribute(to epoch: inout Epoch) {
        guard semiMajor > 0, semiMajor < 400_000 else { return }
        epoch.refineDetails {
            ($0.ellipseOrientation, $0.semiMajor, $0.semiMinor) = (
                orientation, semiMajor, semiMinor
            )
        }
    }
}

extension Epoch {
    fileprivate mutating func refineDetails(_ change: (inout SolutionDetails) -> Void) {
        var details = fix.details
        change(&details)
        refine(\.solutionDetails, [details])
    }
}

extension SolutionDetails {
    /// Sets the position, unless there is one, which may be more precise.
    fileprivate mutating func setPosition(
        _ x: Double, _ y: Double, _ z: Double, _ accuracy: Double?
    ) {
        guard self.x == nil else { return }
        (self.x, self.y, self.z, positionAccuracy) = (x, y, z, accuracy)
    }

    fileprivate mutating func setVelocity(
        _ x: Double, _ y: Double, _ z: Double, _ accuracy: Double
    ) {
        (velocityX, velocityY, velocityZ, velocityAccuracy) = (x, y, z, accuracy)
    }
}

extension NavCLOCK: TimedMessage {
    /// Sets the offset and the drift of the receiver's clock.
    func contribute(to epoch: inout Epoch) {
        var clock = epoch.fix.receiverClock ?? ReceiverClock()
        (clock.drift, clock.reportedBias) = (drift, bias)
        epoch.refine(\.receiverClock, clock)
    }
}

extension NavEOE: EpochMessage {
    static func receive(_ frame: UBXFrame, into assembler: inout FixAssembler) -> Bool {
        guard let message = Self(frame) else { return false }
        assembler.endEpoch(at: message.timeOfWeekMilliseconds)
        return true
    }
}
