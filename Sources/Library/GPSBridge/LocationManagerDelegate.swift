// SPDX-License-Identifier: MIT
public import GNSS

/// The methods that a location manager calls with its updates. Every method has a default
/// implementation that does nothing.
///
/// Calls are in order and never overlap. They are made on the queue given to the manager; no run
/// loop is needed. A delegate that adopts the protocol on the main actor is always called on the
/// main queue:
///
///     @MainActor final class TripModel: @MainActor LocationManagerDelegate { … }
///
/// Any other delegate must be `Sendable`, because the manager calls it on a background thread. The
/// compiler checks this. A delegate that adopts the protocol on another global actor stops the
/// program with a message. See the article "Queues and the main actor". The CoreLocation
/// counterpart is `CLLocationManagerDelegate`.
public protocol LocationManagerDelegate: AnyObject {
    /// The delegate's own type. It makes the compiler check that the type is `Sendable`. Keep the
    /// default.
    associatedtype SendableDelegate: Sendable = Self

    /// Called with new locations: at least one, oldest first.
    func locationManager(_ manager: LocationManager, didUpdateLocations locations: [Location])

    /// Called with a new heading.
    func locationManager(_ manager: LocationManager, didUpdateHeading heading: Heading)

    /// Called when the integrity of a receiver's position changes: its state, or the reasons for
    /// that state.
    ///
    /// CoreLocation has no counterpart. ``Location/integrity`` contains the same value.
    func locationManager(_ manager: LocationManager, didChangeIntegrity integrity: Integrity)

    /// Called when locations become unavailable: temporarily, because the program may not open the
    /// receiver, or because the source has ended with an error.
    ///
    /// After `.locationUnknown` and `.deviceUnavailable`, the manager keeps trying.
    /// `.locationUnknown` is reported once when a receiver loses its fix, has no fix in the first
    /// minute, or becomes silent. A receiver is silent if it sends no epoch in the first minute or,
    /// later, for ten seconds or five of its cycles, whichever is longer.
    func locationManager(_ manager: LocationManager, didFailWithError error: LocationError)

    /// The same method with an error of type `any Error`, for delegates ported from CoreLocation.
    ///
    /// Implement only one of the two `didFailWithError` methods. The manager calls the method with
    /// a `LocationError`, whose default implementation calls this one. So `error` is always a
    /// `LocationError`.
    func locationManager(_ manager: LocationManager, didFailWithError error: any Error)

    /// Called when the permission to read the receiver changes, and when a delegate is assigned.
    func locationManagerDidChangeAuthorization(_ manager: LocationManager)

    /// Called when the receiver is lost, because it was unplugged or its line hung up. The manager
    /// waits for its return.
    func locationManagerDidPauseLocationUpdates(_ manager: LocationManager)

    /// Called when a lost receiver has returned.
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
    /// The default of both `didFailWithError` methods. Passes a `LocationError` to the method with
    /// `any Error`, whose default does nothing.
    ///
    /// This default is generic, so that the compiler prefers a delegate's own method, even one with
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
