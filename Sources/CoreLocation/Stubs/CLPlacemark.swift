// SPDX-License-Identifier: MIT

// Safety: immutable.
/// What is known of a place. No geocoder makes one on Linux; the type is there for programs that
/// handle them.
open class CLPlacemark: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// Where it is.
    open var location: CLLocation? { nil }
    /// The area it is in.
    open var region: CLRegion? { nil }
    /// Its time zone.
    open var timeZone: TimeZone? { nil }
    /// Its address.
    open var addressDictionary: [AnyHashable: Any]? { nil }
    /// Its name.
    open var name: String? { nil }
    /// The street.
    open var thoroughfare: String? { nil }
    /// The number in the street.
    open var subThoroughfare: String? { nil }
    /// The town.
    open var locality: String? { nil }
    /// The part of the town.
    open var subLocality: String? { nil }
    /// The state or province.
    open var administrativeArea: String? { nil }
    /// The county or district.
    open var subAdministrativeArea: String? { nil }
    /// The postal code.
    open var postalCode: String? { nil }
    /// The country's code, as `AT`.
    open var isoCountryCode: String? { nil }
    /// The country.
    open var country: String? { nil }
    /// The lake or river.
    open var inlandWater: String? { nil }
    /// The ocean.
    open var ocean: String? { nil }
    /// What is of interest there.
    open var areasOfInterest: [String]? { nil }

    /// Creates a placemark of which nothing is known.
    public override init() {}

    /// Creates a copy.
    public init(placemark: CLPlacemark) {}

    /// Returns itself: it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// `true`.
    open class var supportsSecureCoding: Bool { true }

    /// Writes nothing.
    open func encode(with coder: NSCoder) {}

    /// Creates a placemark of which nothing is known.
    public required init?(coder: NSCoder) {}
}
