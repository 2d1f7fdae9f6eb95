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
