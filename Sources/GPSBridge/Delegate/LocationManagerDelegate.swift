// SPDX-License-Identifier: MIT
public import GNSS

/// Receives a location manager's updates. Every method has a default that does nothing.
///
/// Calls come in order and never overlap, on the queue given to the manager; no main run loop is
/// needed for that. A delegate on the main actor adopts the protocol there and is called on the
/// main queue, whatever the manager's queue is:
///
///     @MainActor final class TripModel: @MainActor LocationManagerDelegate { … }
///
/// Any other delegate must be `Sendable`, which the compiler checks, since it is called on another
/// thread than the one that created it. A delegate on another global actor stops the program with a
/// message. See the article "Queues and the main actor". The CoreLocation counterpart is
/// `CLLocationManagerDelegate`.
public protocol LocationManagerDelegate: AnyObject {
    /// The delegate's own type, which must be `Sendable`. Keep the default.
    associatedtype SendableDelegate: Sendable = Self

    /// Reports new locations: at least one, oldest first.
    func locationManager(_ manager: LocationManager, didUpdateLocations locations: [Location])

    /// Reports a new heading.
    func locationManager(_ manager: LocationManager, didUpdateHeading heading: Heading)

    /// Reports a change of the evidence against a receiver's position: of the state, or of its
    /// reasons.
    ///
    /// CoreLocation has no counterpart. ``Location/integrity`` has the same value.
    func locationManager(_ manager: LocationManager, didChangeIntegrity integrity: Integrity)

    /// Reports that locations are unavailable for now, or that the receiver may not be opened.
    ///
    /// After `.locationUnknown` and `.deviceUnavailable`, the manager keeps trying.
    /// `.locationUnknown` is reported once, when a receiver loses its fix or is silent for ten
    /// seconds or five of its cycles.
    func locationManager(_ manager: LocationManager, didFailWithError error: LocationError)

    /// Receives the same errors as `any Error`, as in CoreLocation, for delegates ported from
    /// there.
    ///
    /// Implement one of the two methods: the manager calls the one with a `LocationError`, whose
    /// default calls this one. `error` is always a `LocationError`.
    func locationManager(_ manager: LocationManager, didFailWithError error: any Error)

    /// Reports a change of the permission to read the receiver. Also called when a delegate is
    /// assigned.
    func locationManagerDidChangeAuthorization(_ manager: LocationManager)

    /// Reports that the receiver is gone: unplugged, or its line hung up. The manager waits for it.
    func locationManagerDidPauseLocationUpdates(_ manager: LocationManager)

    /// Reports that the receiver is back.
    func locationManagerDidResumeLocationUpdates(_ manager: LocationManager)
}

extension LocationManagerDelegate {
    /// Does nothing.
    public func locationManager(
        _ manager: LocationManager, didUpdateLocations locations: [Location]
    ) {}
    /// Does nothing.
    public func locationManager(_ manager: LocationManager, didUpdateHeading heading: Heading) {}
    /// Does nothing.
    public func locationManager(
        _ manager: LocationManager, didChangeIntegrity integrity: Integrity
    ) {}
    /// Calls the method with `any Error`, whose default does nothing.
    ///
    /// Both defaults are generic, so that a delegate's own method is preferred, even one with
    /// `some Error`.
    public func locationManager<Failure: Error>(
        _ manager: LocationManager, didFailWithError error: Failure
    ) {
        guard Failure.self == LocationError.self else { return }
        locationManager(manager, didFailWithError: error as any Error)
    }
    /// Does nothing.
    public func locationManagerDidChangeAuthorization(_ manager: LocationManager) {}
    /// Does nothing.
    public func locationManagerDidPauseLocationUpdates(_ manager: LocationManager) {}
    /// Does nothing.
    public func locationManagerDidResumeLocationUpdates(_ manager: LocationManager) {}
}
