// SPDX-License-Identifier: MIT
import GNSS
import UBX

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
