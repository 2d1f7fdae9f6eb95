// SPDX-License-Identifier: MIT

// Documented together.
// Safety: has no stored values.
/// A description of a place, such as an address. Linux has no geocoder that creates placemarks. The
/// type exists so that programs that handle placemarks compile. Every property is `nil`.
nonisolated open class CLPlacemark: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    open var location: CLLocation? { nil }
    open var region: CLRegion? { nil }
    open var timeZone: TimeZone? { nil }
    open var addressDictionary: [AnyHashable: Any]? { nil }
    open var name: String? { nil }
    open var thoroughfare: String? { nil }
    open var subThoroughfare: String? { nil }
    open var locality: String? { nil }
    open var subLocality: String? { nil }
    open var administrativeArea: String? { nil }
    open var subAdministrativeArea: String? { nil }
    open var postalCode: String? { nil }
    open var isoCountryCode: String? { nil }
    open var country: String? { nil }
    open var inlandWater: String? { nil }
    open var ocean: String? { nil }
    open var areasOfInterest: [String]? { nil }

    /// Creates a placemark with all properties `nil`.
    public override init() {}

    /// Creates a copy of a placemark. All its properties are `nil`.
    public init(placemark: CLPlacemark) {}

    /// Returns this object, because it is immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Always `true`.
    open class var supportsSecureCoding: Bool { true }

    /// Writes nothing, because there are no stored values.
    open func encode(with coder: NSCoder) {}

    /// Creates a placemark with all properties `nil`.
    public required init?(coder: NSCoder) {}
}
