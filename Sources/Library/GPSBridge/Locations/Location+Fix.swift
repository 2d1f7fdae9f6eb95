// SPDX-License-Identifier: MIT
public import FoundationEssentials
public import GNSS
import GPSReceivers

#if canImport(Glibc)
    import Glibc
#endif

extension Location {
    /// The `horizontalAccuracy` of a location whose accuracy is unknown, in metres.
    public static let unknownHorizontalAccuracy = 100.0

    /// The assumed ratio of horizontal accuracy to speed accuracy, in seconds; see `speedAccuracy`.
    private static let secondsOfSpeedAccuracy = 10.0

    /// The minimum of an estimated speed accuracy, in metres per second. Data sheets state this
    /// value for good signals. Corrections that improve a position to centimetres do not improve
    /// the speed, because it is measured by Doppler shifts.
    private static let minimumSpeedAccuracy = 0.05

    /// Converts an epoch's fix to CoreLocation's conventions. Returns `nil` without a position.
    init?(_ epoch: ReceiverEpoch) {
        // The fix is used in place, because copying it is expensive.
        guard epoch.fix.mode > .noFix, let coordinate = epoch.fix.coordinate else { return nil }
        let (speed, course, accuracy) = (epoch.fix.speed, epoch.fix.course, epoch.fix.accuracy)
        let altitude = epoch.fix.mode == .threeD ? epoch.fix.altitude : nil
        let speedAccuracy =
            speed == nil ? nil : accuracy.speed ?? Self.speedAccuracy(accuracy.horizontal)
        let courseAccuracy =
            (course == nil ? nil : accuracy.course)
            ?? Self.courseAccuracy(course, speed, speedAccuracy)
        let values = Values(
            coordinate: coordinate, altitude: altitude ?? 0,
            ellipsoidalAltitude: epoch.fix.ellipsoidalAltitude,
            horizontalAccuracy: accuracy.horizontal,
            // A 3D fix without a vertical accuracy gets an estimate, because -1 would mean that the
            // altitude is unknown.
            verticalAccuracy: altitude == nil
                ? -1
                : accuracy.vertical
                    ?? 1.5 * (accuracy.horizontal ?? Self.unknownHorizontalAccuracy),
            course: course ?? -1,
            courseAccuracy: courseAccuracy,
            speed: speed ?? -1, speedAccuracy: speedAccuracy ?? -1,
            timestamp: epoch.timestamp, isTimestampFromSystemClock: epoch.fix.time == nil)
        self.init(epoch, values, epoch.sourceInformation)
    }

    private static func speedAccuracy(_ horizontalAccuracy: Double?) -> Double? {
        horizontalAccuracy.map { max(minimumSpeedAccuracy, $0 / secondsOfSpeedAccuracy) }
    }

    /// Returns the course accuracy in degrees, calculated from the speed and its accuracy; -1 if
    /// unknown. The speed's error across the direction of travel is assumed to be as large as the
    /// error along it.
    private static func courseAccuracy(
        _ course: Double?, _ speed: Double?, _ speedAccuracy: Double?
    ) -> Double {
        guard course != nil, let speed, let speedAccuracy else { return -1 }
        return 180 / .pi * 2 * atan2(speedAccuracy, 2 * max(0, speed))
    }
}

extension Location.Values {
    /// Returns a fix that contains the location's values. Unknown values are `nil`.
    func impliedFix(_ origin: DataOrigin) -> Fix {
        var fix = Fix()
        fix.coordinate = coordinate
        fix.mode = verticalAccuracy > 0 ? .threeD : .twoD
        fix.quality = origin == .simulated ? .simulated : .autonomous
        if !isTimestampFromSystemClock {
            fix.time = UTCTime(timestamp)
            fix.timeOfDay = fix.time?.time
        }
        if verticalAccuracy > 0 { fix.altitude = altitude }
        fix.ellipsoidalAltitude = ellipsoidalAltitude
        if speed >= 0 { fix.speed = speed }
        if course >= 0 { fix.course = course }
        if let horizontalAccuracy, horizontalAccuracy >= 0 {
            fix.accuracy.horizontal = horizontalAccuracy
        }
        if verticalAccuracy > 0 { fix.accuracy.vertical = verticalAccuracy }
        if speedAccuracy >= 0 { fix.accuracy.speed = speedAccuracy }
        if courseAccuracy >= 0 { fix.accuracy.course = courseAccuracy }
        return fix
    }
}

extension UTCTime {
    /// Converts a date, rounded to microseconds. Returns `nil` if it is out of range.
    fileprivate init?(_ date: Date) {
        let microseconds = (date.timeIntervalSince1970 * 1e6).rounded()
        guard abs(microseconds) < 9e15 else { return nil }
        self.init(unixNanoseconds: Int64(microseconds) * 1000)
    }
}

extension Date {
    /// Creates the date of a receiver's time.
    public init(_ time: UTCTime) {
        self.init(timeIntervalSince1970: Double(time.unixNanoseconds) / 1e9)
    }
}
