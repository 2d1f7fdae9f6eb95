// SPDX-License-Identifier: MIT
import Dispatch

/// A handler that receives either placemarks or an error.
public typealias CLGeocodeCompletionHandler = ([CLPlacemark]?, (any Error)?) -> Void

// Documented together.
/// Converts coordinates to addresses and back. This requires a service that Linux does not have.
/// Every request fails with `CLError.geocodeFoundNoResult`; completion handlers are called on the
/// main queue.
nonisolated open class CLGeocoder: NSObject {
    /// Always `false`, because every request fails immediately.
    open var isGeocoding: Bool { false }

    public override init() {}

    open func reverseGeocodeLocation(
        _ location: CLLocation, completionHandler: @escaping CLGeocodeCompletionHandler
    ) {
        fail(completionHandler)
    }

    open func reverseGeocodeLocation(
        _ location: CLLocation, preferredLocale locale: Locale?,
        completionHandler: @escaping CLGeocodeCompletionHandler
    ) {
        fail(completionHandler)
    }

    open func geocodeAddressString(
        _ addressString: String, completionHandler: @escaping CLGeocodeCompletionHandler
    ) {
        fail(completionHandler)
    }

    open func geocodeAddressString(
        _ addressString: String, in region: CLRegion?,
        completionHandler: @escaping CLGeocodeCompletionHandler
    ) {
        fail(completionHandler)
    }

    open func geocodeAddressString(
        _ addressString: String, in region: CLRegion?, preferredLocale locale: Locale?,
        completionHandler: @escaping CLGeocodeCompletionHandler
    ) {
        fail(completionHandler)
    }

    open func geocodeAddressDictionary(
        _ addressDictionary: [AnyHashable: Any],
        completionHandler: @escaping CLGeocodeCompletionHandler
    ) {
        fail(completionHandler)
    }

    /// Does nothing, because every request fails immediately.
    open func cancelGeocode() {}

    // MARK: Async methods. They call the methods above, which a subclass may override.

    open func reverseGeocodeLocation(_ location: CLLocation) async throws -> [CLPlacemark] {
        try await placemarks { reverseGeocodeLocation(location, completionHandler: $0) }
    }

    open func reverseGeocodeLocation(
        _ location: CLLocation, preferredLocale locale: Locale?
    ) async throws -> [CLPlacemark] {
        try await placemarks {
            reverseGeocodeLocation(location, preferredLocale: locale, completionHandler: $0)
        }
    }

    open func geocodeAddressString(_ addressString: String) async throws -> [CLPlacemark] {
        try await placemarks { geocodeAddressString(addressString, completionHandler: $0) }
    }

    open func geocodeAddressString(
        _ addressString: String, in region: CLRegion?
    ) async throws -> [CLPlacemark] {
        try await placemarks {
            geocodeAddressString(addressString, in: region, completionHandler: $0)
        }
    }

    open func geocodeAddressString(
        _ addressString: String, in region: CLRegion?, preferredLocale locale: Locale?
    ) async throws -> [CLPlacemark] {
        try await placemarks {
            geocodeAddressString(
                addressString, in: region, preferredLocale: locale, completionHandler: $0)
        }
    }

    private func placemarks(
        _ request: (@escaping CLGeocodeCompletionHandler) -> Void
    ) async throws -> [CLPlacemark] {
        try await withCheckedThrowingContinuation { continuation in
            request { placemarks, error in
                if let error {
                    continuation.resume(throwing: error)
                } else {
                    continuation.resume(returning: placemarks ?? [])
                }
            }
        }
    }

    private func fail(_ completionHandler: @escaping CLGeocodeCompletionHandler) {
        let handler = Transferred(completionHandler)
        DispatchQueue.main.async { handler.value(nil, CLError(.geocodeFoundNoResult)) }
    }
}

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
