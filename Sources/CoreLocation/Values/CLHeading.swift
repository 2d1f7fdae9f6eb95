// SPDX-License-Identifier: MIT
import GPSBridge

// Safety: immutable.
/// The direction in which a vessel or a vehicle points; its location has the course, in which it
/// moves.
open class CLHeading: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    private let heading: Heading

    init(_ heading: Heading) {
        self.heading = heading
    }

    /// Creates an unknown heading: all values are negative.
    public override init() {
        heading = Heading(
            magneticHeading: 0, timestamp: Date(timeIntervalSinceReferenceDate: 0))
    }

    /// Degrees from magnetic north; the true heading if the variation is unknown.
    open var magneticHeading: CLLocationDirection { heading.magneticHeading }
    /// Degrees from true north; -1 if unknown.
    open var trueHeading: CLLocationDirection { heading.trueHeading }
    /// The error of the heading in degrees; 5 if unknown, -1 for an invalid heading.
    open var headingAccuracy: CLLocationDirection { heading.headingAccuracy }
    /// Always 0, since receivers do not send the measured magnetic field.
    open var x: CLHeadingComponentValue { 0 }
    /// Always 0.
    open var y: CLHeadingComponentValue { 0 }
    /// Always 0.
    open var z: CLHeadingComponentValue { 0 }
    /// The time of the measurement by the receiver's clock.
    open var timestamp: Date { heading.timestamp }

    /// One line with all values.
    open override var description: String {
        String(
            format: "magneticHeading %.2f trueHeading %.2f accuracy %.2f @ ", magneticHeading,
            trueHeading, headingAccuracy) + timestamp.ISO8601Format()
    }

    /// Returns the heading itself, since it is immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// `true`.
    open class var supportsSecureCoding: Bool { true }

    /// Writes all values.
    open func encode(with coder: NSCoder) {
        coder.encode(magneticHeading, forKey: CodingKey.magnetic)
        coder.encode(trueHeading, forKey: CodingKey.true)
        coder.encode(headingAccuracy, forKey: CodingKey.accuracy)
        coder.encode(timestamp.timeIntervalSinceReferenceDate, forKey: CodingKey.timestamp)
    }

    /// Reads what `encode(with:)` has written. Without it, as in the archive of a subclass that
    /// writes values of its own, nothing is known of the heading.
    public required init?(coder: NSCoder) {
        func number(_ key: String, default value: Double) -> Double {
            coder.containsValue(forKey: key) ? coder.decodeDouble(forKey: key) : value
        }
        heading = Heading(
            trueHeading: number(CodingKey.true, default: -1),
            magneticHeading: number(CodingKey.magnetic, default: 0),
            headingAccuracy: number(CodingKey.accuracy, default: -1),
            timestamp: Date(
                timeIntervalSinceReferenceDate: number(CodingKey.timestamp, default: 0)))
    }
}

/// The archive keys, chosen not to collide with those of subclasses.
private enum CodingKey {
    static let magnetic = "kCLHeadingCodingKeyMagneticHeading"
    static let `true` = "kCLHeadingCodingKeyTrueHeading"
    static let accuracy = "kCLHeadingCodingKeyHeadingAccuracy"
    static let timestamp = "kCLHeadingCodingKeyTimestamp"
}
