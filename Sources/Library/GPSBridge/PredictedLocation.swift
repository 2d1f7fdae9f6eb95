// SPDX-License-Identifier: MIT
public import FoundationEssentials
public import GNSS

/// The predicted position of a receiver up to ten seconds after a location. Use it to move a map
/// smoothly between two locations, and for short gaps.
///
/// It is a separate type, so that a prediction is never recorded, counted or sent as a location.
/// The page `docs/converting.md` lists the measured errors.
public struct PredictedLocation: Hashable, Sendable {
    /// The location from which the position was predicted.
    public let location: Location

    /// The time for which the position was predicted, on the same clock as `location.timestamp`.
    public let timestamp: Date

    /// The latitude and longitude in degrees (WGS 84).
    public let coordinate: Coordinate

    /// The radius in metres of the circle that contains the true position with a probability of at
    /// least 68 %. It includes the errors of position and speed, and grows with the square of the
    /// time.
    public let horizontalAccuracy: Double

    /// The course over ground in degrees from true north, 0 up to 360; -1 when stationary.
    public let course: Double

    /// The quality of the prediction: `estimated`, or `simulated` for simulated data.
    public var quality: FixQuality { location.fix.quality == .simulated ? .simulated : .estimated }
}

extension Location {
    /// The maximum time in seconds between a location and a prediction from it.
    private static let predictableSeconds = 10.0

    /// The speed in metres per second up to which a receiver that sends no course counts as
    /// stationary.
    private static let speedWithoutCourse = 0.5

    /// Returns the predicted position at a later time, assuming a constant speed and course.
    ///
    /// Returns `nil` before `timestamp` or more than 10 s after it, if `horizontalAccuracy` or
    /// `speedAccuracy` is unknown, or if the course of a moving receiver is unknown. For a
    /// stationary receiver, the position does not change.
    ///
    /// - Parameters:
    ///   - date: The time, on the same clock as `timestamp`. The current time is `timestamp` plus
    ///     `age`, if the receiver sends its fixes without delay.
    ///   - acceleration: The maximum acceleration when speeding up, slowing down or turning, in
    ///     metres per second squared: 3 for cars, 1 for walking and boats.
    public func predicted(at date: Date, acceleration: Double = 3) -> PredictedLocation? {
        let seconds = date.timeIntervalSince(timestamp)
        guard 0...Self.predictableSeconds ~= seconds, 0... ~= acceleration, speed >= 0,
            speedAccuracy >= 0,
            fix.accuracy.horizontal != nil
        else { return nil }
        let isStill = isStationary == true || (course < 0 && speed <= Self.speedWithoutCourse)
        guard isStill || course >= 0 else { return nil }
        var position = Geodesic.Point(coordinate: coordinate, course: -1)
        if !isStill {
            let way = speed * seconds
            position = Geodesic(from: coordinate, course: course, length: way).point(at: way)
        }
        // The error of the velocity has two dimensions, so it is converted to a 68 % radius. The
        // error due to an acceleration has one direction.
        let drift = Accuracy.planeFactor * 2.0.squareRoot() * speedAccuracy * seconds
        let unseen = isStill ? speed * seconds : 0
        let change = acceleration * seconds * seconds / 2
        let radius =
            (horizontalAccuracy * horizontalAccuracy + drift * drift + unseen * unseen + change
            * change)
            .squareRoot()
        guard position.coordinate.isValid, radius.isFinite else { return nil }
        return PredictedLocation(
            location: self, timestamp: date, coordinate: position.coordinate,
            horizontalAccuracy: radius, course: position.course)
    }
}
