// SPDX-License-Identifier: MIT
import GPSBridge

// Safety: immutable.
/// The direction in which a vessel or a vehicle points. The direction in which it moves is
/// `CLLocation.course`.
nonisolated open class CLHeading: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    private let heading: Heading

    init(_ heading: Heading) {
        self.heading = heading
    }

    /// Creates an unknown heading: `trueHeading` and `headingAccuracy` are -1.
    public override init() {
        heading = Heading(
            magneticHeading: 0, timestamp: Date(timeIntervalSinceReferenceDate: 0))
    }

    /// The heading in degrees from magnetic north. If it is unknown because the receiver does not
    /// send the magnetic variation, this is the true heading.
    open var magneticHeading: CLLocationDirection { heading.magneticHeading }
    /// The heading in degrees from true north; -1 if unknown.
    open var trueHeading: CLLocationDirection { heading.trueHeading }
    /// The estimated error of the heading in degrees: 5 if the receiver does not report it, -1 for
    /// an invalid heading.
    open var headingAccuracy: CLLocationDirection { heading.headingAccuracy }
    /// Always 0, because receivers do not send the measured magnetic field.
    open var x: CLHeadingComponentValue { 0 }
    /// Always 0, like `x`.
    open var y: CLHeadingComponentValue { 0 }
    /// Always 0, like `x`.
    open var z: CLHeadingComponentValue { 0 }
    /// The time of the measurement according to the receiver's clock.
    open var timestamp: Date { heading.timestamp }

    /// The headings, accuracy and timestamp on one line.
    open override var description: String {
        String(
            format: "magneticHeading %.2f trueHeading %.2f accuracy %.2f @ ", magneticHeading,
            trueHeading, headingAccuracy) + timestamp.ISO8601Format()
    }

    /// Returns this object, because it is immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Always `true`.
    open class var supportsSecureCoding: Bool { true }

    /// Writes all values.
    open func encode(with coder: NSCoder) {
        coder.encode(magneticHeading, forKey: HeadingArchiveKey.magnetic)
        coder.encode(trueHeading, forKey: HeadingArchiveKey.true)
        coder.encode(headingAccuracy, forKey: HeadingArchiveKey.accuracy)
        coder.encode(timestamp.timeIntervalSinceReferenceDate, forKey: HeadingArchiveKey.timestamp)
    }

    /// Reads the values that `encode(with:)` wrote. Missing values are unknown, because a subclass
    /// may write other values instead.
    public required init?(coder: NSCoder) {
        func number(_ key: String, default value: Double) -> Double {
            coder.containsValue(forKey: key) ? coder.decodeDouble(forKey: key) : value
        }
        heading = Heading(
            trueHeading: number(HeadingArchiveKey.true, default: -1),
            magneticHeading: number(HeadingArchiveKey.magnetic, default: 0),
            headingAccuracy: number(HeadingArchiveKey.accuracy, default: -1),
            timestamp: Date(
                timeIntervalSinceReferenceDate: number(HeadingArchiveKey.timestamp, default: 0)))
    }
}

/// An object whose heading is to be reported, such as a view on Apple's systems.
public protocol CLBodyIdentifiable: NSObjectProtocol {}

/// The keys in archives. Their long prefix avoids collisions with the keys of subclasses.
private enum HeadingArchiveKey {
    static let magnetic = "kCLHeadingCodingKeyMagneticHeading"
    static let `true` = "kCLHeadingCodingKeyTrueHeading"
    static let accuracy = "kCLHeadingCodingKeyHeadingAccuracy"
    static let timestamp = "kCLHeadingCodingKeyTimestamp"
}

// Safety: has no stored values.
/// A stay at a place. Visits are never reported on Linux. The type exists so that programs that
/// handle visits compile.
nonisolated open class CLVisit: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// The time of arrival. Always `Date.distantPast`, which means unknown.
    open var arrivalDate: Date { .distantPast }
    /// The time of departure. Always `Date.distantFuture`, which means that the visit has not
    /// ended.
    open var departureDate: Date { .distantFuture }
    /// The coordinate of the place. Always latitude 0, longitude 0.
    open var coordinate: CLLocationCoordinate2D { CLLocationCoordinate2D() }
    /// The accuracy of `coordinate` in metres. Always -1, which means unknown.
    open var horizontalAccuracy: CLLocationAccuracy { -1 }

    /// Creates a visit whose place and times are unknown.
    public override init() {}

    /// Returns this object, because it is immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Always `true`.
    open class var supportsSecureCoding: Bool { true }

    /// Writes nothing, because there are no stored values.
    open func encode(with coder: NSCoder) {}

    /// Creates a visit whose place and times are unknown.
    public required init?(coder: NSCoder) {}
}
