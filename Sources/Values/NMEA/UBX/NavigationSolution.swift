// SPDX-License-Identifier: MIT
import GNSS
import UBX

/// The values that NAV-PVT, NAV-PVAT and similar messages have in common.
struct NavigationSolution {
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
struct GroundVelocity {
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
    var time: WeekClock.Report {
        WeekClock.Report(
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
            clock.bias = nanoseconds % 1_000_000
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
    var time: WeekClock.Report {
        WeekClock.Report(
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
