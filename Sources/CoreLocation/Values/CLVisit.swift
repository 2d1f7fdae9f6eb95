// SPDX-License-Identifier: MIT

// Safety: immutable.
/// A stay at a place. Visits are never reported; the type is there for programs that handle them.
open class CLVisit: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// When it began; `Date.distantPast` if unknown.
    open var arrivalDate: Date { .distantPast }
    /// When it ended; `Date.distantFuture` if it has not.
    open var departureDate: Date { .distantFuture }
    /// The position.
    open var coordinate: CLLocationCoordinate2D { CLLocationCoordinate2D() }
    /// Metres; -1.
    open var horizontalAccuracy: CLLocationAccuracy { -1 }

    /// Creates a visit without a place or times.
    public override init() {}

    /// Returns itself: it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// `true`.
    open class var supportsSecureCoding: Bool { true }

    /// Writes nothing.
    open func encode(with coder: NSCoder) {}

    /// Creates a visit without a place or times.
    public required init?(coder: NSCoder) {}
}
