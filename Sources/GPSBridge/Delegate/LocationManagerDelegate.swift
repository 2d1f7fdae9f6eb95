// SPDX-License-Identifier: MIT

/// Receives a location manager's updates. Implement what you need: every method has a default that
/// does nothing.
///
/// Calls come in order and never overlap, on the queue given to the manager; no main run loop is
/// needed for that. A delegate on the main actor adopts the protocol there and is called on the
/// main queue, whatever the manager's queue is:
///
///     @MainActor final class TripModel: @MainActor LocationManagerDelegate { … }
///
/// Any other delegate has to be `Sendable`, since it is called from another thread than the one it
/// was made on; the compiler says so where it is not. On another global actor than the main actor it
/// stops the program, with a message. The article "Queues and the main actor" has
/// the whole of it. The CoreLocation counterpart is `CLLocationManagerDelegate`.
public protocol LocationManagerDelegate: AnyObject {
    /// The delegate's own type, which has to be `Sendable`. Leave it to its default.
    associatedtype SendableDelegate: Sendable = Self

    /// There are new locations: at least one, oldest first.
    func locationManager(_ manager: LocationManager, didUpdateLocations locations: [Location])

    /// There is a new heading.
    func locationManager(_ manager: LocationManager, didUpdateHeading heading: Heading)

    /// Reports that locations are unavailable for now, or that the receiver may not be opened.
    ///
    /// `.locationUnknown` and `.deviceUnavailable` mean that the manager continues to try. A receiver that has lost its
    /// fix, or that sends nothing for ten seconds or five of its cycles, gives the former, once.
    func locationManager(_ manager: LocationManager, didFailWithError error: LocationError)

    /// The same with the error's type as in CoreLocation, for delegates that come from there.
    ///
    /// A delegate implements one of the two; the manager calls the one with a `LocationError`, whose
    /// default calls this one. `error` is always a `LocationError`.
    func locationManager(_ manager: LocationManager, didFailWithError error: any Error)

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
    public func locationManager(_ manager: LocationManager, didUpdateHeading heading: Heading) {}
    /// Calls the method that takes `any Error`; that one does nothing.
    ///
    /// Both defaults are generic, so that a delegate's own method is preferred even if it is: one that
    /// takes `some Error`.
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
