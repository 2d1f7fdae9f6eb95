// SPDX-License-Identifier: MIT
public import FoundationEssentials
public import GNSS
import GPSReceivers

#if canImport(Glibc)
    import Glibc
#endif

extension Location {
    /// The value in metres used for an unknown horizontal accuracy.
    public static let unknownHorizontalAccuracy = 100.0

    /// The divisor in seconds that converts horizontal accuracy to speed accuracy; see
    /// `speedAccuracy`.
    private static let secondsOfSpeedAccuracy = 10.0

    /// Metres per second; the value in data sheets for a good signal. Corrections that improve a
    /// position to centimetres do not improve the speed, which is measured by Doppler shifts.
    private static let leastSpeedAccuracy = 0.05

    /// Converts a fix to CoreLocation's terms; `nil` without a position.
    init?(_ epoch: ReceiverEpoch) {
        // Use the fix in place, since copying it is expensive.
        guard epoch.fix.mode > .noFix, let coordinate = epoch.fix.coordinate else { return nil }
        let (speed, course, accuracy) = (epoch.fix.speed, epoch.fix.course, epoch.fix.accuracy)
        let horizontalAccuracy = accuracy.horizontal ?? Self.unknownHorizontalAccuracy
        let altitude = epoch.fix.mode == .threeD ? epoch.fix.altitude : nil
        let speedAccuracy =
            speed == nil ? nil : accuracy.speed ?? Self.speedAccuracy(accuracy.horizontal)
        let courseAccuracy =
            (course == nil ? nil : accuracy.course)
            ?? Self.courseAccuracy(course, speed, speedAccuracy)
        let values = Values(
            coordinate: coordinate, altitude: altitude ?? 0,
            ellipsoidalAltitude: epoch.fix.ellipsoidalAltitude,
            horizontalAccuracy: horizontalAccuracy,
            // With a negative accuracy the altitude would count as unknown.
            verticalAccuracy: altitude == nil ? -1 : accuracy.vertical ?? 1.5 * horizontalAccuracy,
            course: course ?? -1,
            courseAccuracy: courseAccuracy,
            speed: speed ?? -1, speedAccuracy: speedAccuracy ?? -1,
            timestamp: epoch.timestamp, isTimestampFromSystemClock: epoch.fix.time == nil)
        self.init(epoch, values, epoch.sourceInformation)
    }

    private static func speedAccuracy(_ horizontalAccuracy: Double?) -> Double? {
        horizontalAccuracy.map { max(leastSpeedAccuracy, $0 / secondsOfSpeedAccuracy) }
    }

    /// Returns the course error in degrees that results from the speed error across the direction
    /// of travel.
    private static func courseAccuracy(
        _ course: Double?, _ speed: Double?, _ speedAccuracy: Double?
    ) -> Double {
        guard course != nil, let speed, let speedAccuracy else { return -1 }
        return 180 / .pi * 2 * atan2(speedAccuracy, 2 * max(0, speed))
    }
}

extension Location.Values {
    /// Returns a fix that corresponds to these values, as far as they are known.
    func impliedFix(_ origin: DataOrigin) -> Fix {
        var fix = Fix()
        fix.coordinate = coordinate
        fix.mode = verticalAccuracy > 0 ? .threeD : .twoD
        fix.quality = origin == .simulated ? .simulated : .autonomous
        fix.time = UTCTime(timestamp)
        fix.timeOfDay = fix.time?.time
        if verticalAccuracy > 0 { fix.altitude = altitude }
        fix.ellipsoidalAltitude = ellipsoidalAltitude
        if speed >= 0 { fix.speed = speed }
        if course >= 0 { fix.course = course }
        fix.accuracy.horizontal = horizontalAccuracy
        if verticalAccuracy > 0 { fix.accuracy.vertical = verticalAccuracy }
        return fix
    }
}

extension UTCTime {
    /// Converts a date, to the microsecond; `nil` if the number of nanoseconds overflows.
    fileprivate init?(_ date: Date) {
        let microseconds = (date.timeIntervalSince1970 * 1e6).rounded()
        guard abs(microseconds) < 9e15 else { return nil }
        self.init(unixNanoseconds: Int64(microseconds) * 1000)
    }
}

extension Date {
    /// Converts a receiver's time.
    public init(_ time: UTCTime) {
        self.init(timeIntervalSince1970: Double(time.unixNanoseconds) / 1e9)
    }
}
