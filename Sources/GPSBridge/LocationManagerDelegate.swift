// SPDX-License-Identifier: MIT

/// Who wants to know. Implement what you need: every method has a default that does nothing.
///
/// Calls come in order, one at a time, on the queue given to the manager; no main run loop is
/// needed. The CoreLocation counterpart is `CLLocationManagerDelegate`.
public protocol LocationManagerDelegate: AnyObject {
    /// There are new locations: at least one, oldest first.
    func locationManager(_ manager: LocationManager, didUpdateLocations locations: [Location])

    /// There is no location for the time being, or the receiver may not be opened.
    ///
    /// `.locationUnknown` means that the manager goes on trying.
    func locationManager(_ manager: LocationManager, didFailWithError error: LocationError)

    /// Whether the receiver may be read has changed; also called for a delegate newly assigned.
    func locationManagerDidChangeAuthorization(_ manager: LocationManager)

    /// The receiver is gone: unplugged, or its line hung up. The manager waits for it.
    func locationManagerDidPauseLocationUpdates(_ manager: LocationManager)

    /// The receiver is back.
    func locationManagerDidResumeLocationUpdates(_ manager: LocationManager)
}

extension LocationManagerDelegate {
    /// Does nothing.
    public func locationManager(
        _ manager: LocationManager, didUpdateLocations locations: [Location]
    ) {}
    /// Does nothing.
    public func locationManager(
        _ manager: LocationManager, didFailWithError error: LocationError
    ) {}
    /// Does nothing.
    public func locationManagerDidChangeAuthorization(_ manager: LocationManager) {}
    /// Does nothing.
    public func locationManagerDidPauseLocationUpdates(_ manager: LocationManager) {}
    /// Does nothing.
    public func locationManagerDidResumeLocationUpdates(_ manager: LocationManager) {}
}
