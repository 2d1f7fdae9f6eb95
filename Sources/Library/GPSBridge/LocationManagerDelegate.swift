// SPDX-License-Identifier: MIT
public import Delegation
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

/// Receives a location manager's delegate calls, publishes each as an event, and forwards it to the
/// delegate.
///
/// Events are sent on the thread that reads the receiver. The delegate is called on the manager's
/// queue or, if it is on the main actor, on the main queue. A slow delegate therefore does not
/// delay streams.
///
/// A manager accepts only this proxy. `isInstalled` of a proxy of another type is `false`.
public final class LocationManagerProxy: DelegateProxyType, LocationManagerDelegate {
    /// The generic part of the proxy, which stores the delegates.
    public let base: DelegateProxy<LocationManager, any LocationManagerDelegate>

    /// Calls of `locationManager(_:didUpdateLocations:)`.
    package let didUpdateLocations: MethodEvent<[Location]>
    /// Calls of `locationManager(_:didUpdateHeading:)`.
    package let didUpdateHeading: MethodEvent<Heading>
    /// Calls of `locationManager(_:didChangeIntegrity:)`.
    let didChangeIntegrity: MethodEvent<Integrity>
    /// Calls of `locationManager(_:didFailWithError:)`.
    package let didFailWithError: MethodEvent<LocationError>
    /// Calls of `locationManagerDidChangeAuthorization(_:)`, with the current status.
    let didChangeAuthorization: MethodEvent<AuthorizationStatus>
    /// Calls of `locationManagerDidPauseLocationUpdates(_:)`.
    package let didPauseLocationUpdates: MethodEvent<Void>
    /// Calls of `locationManagerDidResumeLocationUpdates(_:)`.
    let didResumeLocationUpdates: MethodEvent<Void>

    init(_ base: DelegateProxy<LocationManager, any LocationManagerDelegate>) {
        self.base = base
        let flow = base.host?.member.flow
        didUpdateLocations = base.event("didUpdateLocations", flow: flow)
        didUpdateHeading = base.event("didUpdateHeading", flow: flow)
        didChangeIntegrity = base.event("didChangeIntegrity", essential: true, flow: flow)
        didFailWithError = base.event("didFailWithError", essential: true, flow: flow)
        didChangeAuthorization = base.event("didChangeAuthorization", essential: true, flow: flow)
        didPauseLocationUpdates = base.event("didPauseLocationUpdates", essential: true, flow: flow)
        didResumeLocationUpdates = base.event(
            "didResumeLocationUpdates", essential: true, flow: flow)
    }

    /// Registers this class as the proxy class of location managers.
    public static func registerKnownImplementations() {
        register { LocationManagerProxy($0) }
    }

    /// Publishes the call as an event and forwards it to the delegate.
    public func locationManager(
        _ manager: LocationManager, didUpdateLocations locations: [Location]
    ) {
        send(locations, of: manager, run: manager.currentRun(of: .locations))
    }

    /// Publishes the call as an event and forwards it to the delegate.
    public func locationManager(_ manager: LocationManager, didUpdateHeading heading: Heading) {
        send(heading, of: manager, run: manager.currentRun(of: .headings))
    }

    /// Publishes the call as an event and forwards it to the delegate.
    public func locationManager(
        _ manager: LocationManager, didChangeIntegrity integrity: Integrity
    ) {
        send(integrity, of: manager, run: manager.currentRun(of: .locations))
    }

    /// Publishes the call as an event and forwards it to the delegate.
    public func locationManager(
        _ manager: LocationManager, didFailWithError error: LocationError
    ) {
        send(error, of: manager, run: manager.currentRun(of: .all))
    }

    /// Publishes the call as an event and forwards it to the delegate. An error other than a
    /// `LocationError` is replaced by `.locationUnknown`.
    public func locationManager(_ manager: LocationManager, didFailWithError error: any Error) {
        locationManager(
            manager,
            didFailWithError: error as? LocationError ?? LocationError(.locationUnknown))
    }

    /// Publishes the call as an event and forwards it to the delegate.
    public func locationManagerDidChangeAuthorization(_ manager: LocationManager) {
        send(didChangeAuthorization, manager.authorizationStatus, of: manager, run: nil) {
            $0.locationManagerDidChangeAuthorization($1)
        }
    }

    /// Publishes the call as an event and forwards it to the delegate.
    public func locationManagerDidPauseLocationUpdates(_ manager: LocationManager) {
        sendPause(of: manager, run: manager.currentRun(of: .all))
    }

    /// Publishes the call as an event and forwards it to the delegate.
    public func locationManagerDidResumeLocationUpdates(_ manager: LocationManager) {
        sendResumption(of: manager, run: manager.currentRun(of: .all))
    }

    // The delegate does not receive a call of these methods if `run` has been stopped.

    func send(_ locations: [Location], of manager: LocationManager, run: UpdateRun) {
        send(didUpdateLocations, locations, of: manager, run: run, essential: false) {
            $0.locationManager($1, didUpdateLocations: locations)
        }
    }

    func send(_ heading: Heading, of manager: LocationManager, run: UpdateRun) {
        send(didUpdateHeading, heading, of: manager, run: run, essential: false) {
            $0.locationManager($1, didUpdateHeading: heading)
        }
    }

    func send(_ integrity: Integrity, of manager: LocationManager, run: UpdateRun) {
        send(didChangeIntegrity, integrity, of: manager, run: run) {
            $0.locationManager($1, didChangeIntegrity: integrity)
        }
    }

    func send(_ error: LocationError, of manager: LocationManager, run: UpdateRun) {
        send(didFailWithError, error, of: manager, run: run) {
            $0.locationManager($1, didFailWithError: error)
        }
    }

    func sendPause(of manager: LocationManager, run: UpdateRun) {
        send(didPauseLocationUpdates, (), of: manager, run: run) {
            $0.locationManagerDidPauseLocationUpdates($1)
        }
    }

    func sendResumption(of manager: LocationManager, run: UpdateRun) {
        send(didResumeLocationUpdates, (), of: manager, run: run) {
            $0.locationManagerDidResumeLocationUpdates($1)
        }
    }

    /// Sends a call to the observers and the delegates, unless its run has been stopped.
    private func send<Arguments: Sendable>(
        _ event: MethodEvent<Arguments>, _ arguments: Arguments, of manager: LocationManager,
        run: UpdateRun?, essential: Bool = true,
        _ call: @escaping @Sendable (any LocationManagerDelegate, LocationManager) -> Void
    ) {
        guard manager.isCurrent(run) else { return }
        // Calls that wait for a slow delegate do not keep a released manager.
        relay(event, arguments, on: manager.deliveries) { [weak manager] in
            manager?.deliver(to: $0, ofRun: run, essential: essential, call)
        }
    }
}

extension DelegateProxyType
where Host == LocationManager, Delegate == any LocationManagerDelegate {
    /// Installs the manager's own proxy, or removes it. Ignores any other object, because the
    /// manager calls its own proxy directly.
    public static func setCurrentDelegate(
        _ delegate: (any LocationManagerDelegate)?, for host: LocationManager
    ) {
        let proxy = delegate as? LocationManagerProxy
        guard proxy != nil || delegate == nil else { return }
        host.delegateSlot.setSink(proxy, base: proxy?.base)
    }
}
