// SPDX-License-Identifier: MIT

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
