// SPDX-License-Identifier: MIT
public import FoundationEssentials
public import GNSS
import GPSReceivers

#if canImport(Glibc)
    import Glibc
#endif

extension Location {
    /// Metres; stands in for an unknown horizontal accuracy.
    public static let unknownHorizontalAccuracy = 100.0

    /// Seconds by which horizontal accuracy is divided for speed accuracy; see `speedAccuracy`.
    private static let secondsOfSpeedAccuracy = 10.0

    /// Metres per second: what data sheets state for a good signal. Corrections that make a position
    /// centimetres accurate do nothing for a speed, which comes from Doppler shifts.
    private static let leastSpeedAccuracy = 0.05

    /// Converts a fix to CoreLocation's terms; `nil` without a position. The only such conversion.
    init?(_ epoch: ReceiverEpoch) {
        // A fix is large: its values are read where it is.
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
            // An altitude of unknown accuracy would count as no altitude at all.
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

    /// The angle that the error of the speed, across the direction of travel, makes of it.
    private static func courseAccuracy(
        _ course: Double?, _ speed: Double?, _ speedAccuracy: Double?
    ) -> Double {
        guard course != nil, let speed, let speedAccuracy else { return -1 }
        return 180 / .pi * 2 * atan2(speedAccuracy, 2 * max(0, speed))
    }
}

extension Location.Values {
    /// The fix that would have given these values, as far as that is known.
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
    /// The instant of a date to the microsecond; `nil` beyond what nanoseconds can count.
    fileprivate init?(_ date: Date) {
        let microseconds = (date.timeIntervalSince1970 * 1e6).rounded()
        guard abs(microseconds) < 9e15 else { return nil }
        self.init(unixNanoseconds: Int64(microseconds) * 1000)
    }
}

extension Date {
    /// The instant of a receiver's time.
    public init(_ time: UTCTime) {
        self.init(timeIntervalSince1970: Double(time.unixNanoseconds) / 1e9)
    }
}
