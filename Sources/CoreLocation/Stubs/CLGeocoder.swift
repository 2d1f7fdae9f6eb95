// SPDX-License-Identifier: MIT
import Dispatch

/// Called with placemarks, or with the error.
public typealias CLGeocodeCompletionHandler = ([CLPlacemark]?, (any Error)?) -> Void

/// Addresses of coordinates and coordinates of addresses, which take a service that Linux does not
/// have: every request fails with `CLError.geocodeFoundNoResult`, on the main queue.
open class CLGeocoder: NSObject {
    /// `false`: a request never takes time.
    open var isGeocoding: Bool { false }

    /// Creates a geocoder.
    public override init() {}

    /// Fails.
    open func reverseGeocodeLocation(
        _ location: CLLocation, completionHandler: @escaping CLGeocodeCompletionHandler
    ) {
        fail(completionHandler)
    }

    /// Fails.
    open func reverseGeocodeLocation(
        _ location: CLLocation, preferredLocale locale: Locale?,
        completionHandler: @escaping CLGeocodeCompletionHandler
    ) {
        fail(completionHandler)
    }

    /// Fails.
    open func geocodeAddressString(
        _ addressString: String, completionHandler: @escaping CLGeocodeCompletionHandler
    ) {
        fail(completionHandler)
    }

    /// Fails.
    open func geocodeAddressString(
        _ addressString: String, in region: CLRegion?,
        completionHandler: @escaping CLGeocodeCompletionHandler
    ) {
        fail(completionHandler)
    }

    /// Fails.
    open func geocodeAddressString(
        _ addressString: String, in region: CLRegion?, preferredLocale locale: Locale?,
        completionHandler: @escaping CLGeocodeCompletionHandler
    ) {
        fail(completionHandler)
    }

    /// Fails.
    open func geocodeAddressDictionary(
        _ addressDictionary: [AnyHashable: Any],
        completionHandler: @escaping CLGeocodeCompletionHandler
    ) {
        fail(completionHandler)
    }

    /// Does nothing: a request never takes time.
    open func cancelGeocode() {}

    private func fail(_ completionHandler: @escaping CLGeocodeCompletionHandler) {
        let handler = Transferred(completionHandler)
        DispatchQueue.main.async { handler.value(nil, CLError(.geocodeFoundNoResult)) }
    }
}

extension CLGeocoder {
    /// Fails.
    public func reverseGeocodeLocation(_ location: CLLocation) async throws -> [CLPlacemark] {
        throw CLError(.geocodeFoundNoResult)
    }

    /// Fails.
    public func reverseGeocodeLocation(
        _ location: CLLocation, preferredLocale locale: Locale?
    ) async throws -> [CLPlacemark] {
        throw CLError(.geocodeFoundNoResult)
    }

    /// Fails.
    public func geocodeAddressString(_ addressString: String) async throws -> [CLPlacemark] {
        throw CLError(.geocodeFoundNoResult)
    }

    /// Fails.
    public func geocodeAddressString(
        _ addressString: String, in region: CLRegion?
    ) async throws -> [CLPlacemark] {
        throw CLError(.geocodeFoundNoResult)
    }

    /// Fails.
    public func geocodeAddressString(
        _ addressString: String, in region: CLRegion?, preferredLocale locale: Locale?
    ) async throws -> [CLPlacemark] {
        throw CLError(.geocodeFoundNoResult)
    }
}
