// SPDX-License-Identifier: MIT
import GNSS
import UBX

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
