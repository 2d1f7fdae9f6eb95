// SPDX-License-Identifier: MIT

// Safety: immutable.
/// A stay at a place. Visits are never reported on Linux; the type exists for programs that handle
/// them.
open class CLVisit: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// The time of arrival; `Date.distantPast` if unknown.
    open var arrivalDate: Date { .distantPast }
    /// The time of departure; `Date.distantFuture` if it has not ended.
    open var departureDate: Date { .distantFuture }
    /// The coordinate of the place.
    open var coordinate: CLLocationCoordinate2D { CLLocationCoordinate2D() }
    /// The accuracy in metres; -1 if unknown.
    open var horizontalAccuracy: CLLocationAccuracy { -1 }

    /// Creates a visit without a place or times.
    public override init() {}

    /// Returns itself, since it is immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// `true`.
    open class var supportsSecureCoding: Bool { true }

    /// Writes nothing.
    open func encode(with coder: NSCoder) {}

    /// Creates a visit without a place or times.
    public required init?(coder: NSCoder) {}
}
