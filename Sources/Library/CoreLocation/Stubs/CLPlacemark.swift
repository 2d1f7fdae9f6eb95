// SPDX-License-Identifier: MIT

// Documented together.
// Safety: immutable.
/// A description of a place, such as an address. Linux has no geocoder that creates placemarks. The
/// type exists so that programs that handle placemarks compile. Every property is `nil`, unless a
/// subclass overrides it.
nonisolated open class CLPlacemark: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    open var location: CLLocation? { original?.location }
    open var region: CLRegion? { original?.region }
    open var timeZone: TimeZone? { original?.timeZone }
    open var addressDictionary: [AnyHashable: Any]? { original?.addressDictionary }
    open var name: String? { original?.name }
    open var thoroughfare: String? { original?.thoroughfare }
    open var subThoroughfare: String? { original?.subThoroughfare }
    open var locality: String? { original?.locality }
    open var subLocality: String? { original?.subLocality }
    open var administrativeArea: String? { original?.administrativeArea }
    open var subAdministrativeArea: String? { original?.subAdministrativeArea }
    open var postalCode: String? { original?.postalCode }
    open var isoCountryCode: String? { original?.isoCountryCode }
    open var country: String? { original?.country }
    open var inlandWater: String? { original?.inlandWater }
    open var ocean: String? { original?.ocean }
    open var areasOfInterest: [String]? { original?.areasOfInterest }

    /// The placemark of which this one is a copy; `nil` if it is not a copy.
    private let original: CLPlacemark?

    /// Creates a placemark with all properties `nil`.
    public override init() { original = nil }

    /// Creates a copy of a placemark, with its values even if a subclass overrides the properties.
    public init(placemark: CLPlacemark) { original = placemark }

    /// Returns this object, because it is immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Always `true`.
    open class var supportsSecureCoding: Bool { true }

    /// Writes nothing, because Linux has no placemarks with values.
    open func encode(with coder: NSCoder) {}

    /// Creates a placemark with all properties `nil`.
    public required init?(coder: NSCoder) { original = nil }
}
