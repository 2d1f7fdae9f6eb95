// SPDX-License-Identifier: MIT
public import Delegation
public import GNSS
import Synchronization

/// Provides the manager's delegate methods as events, and its settings as observable properties.
///
///     manager.events.didUpdateLocations.subscribe { print($0) }
///     for await filter in manager.events.distanceFilter.values() { … }
///
/// `manager.didUpdateLocations` is the same as `manager.events.didUpdateLocations.values()`. An
/// observer stays attached if its subscription is released, so its closure must not retain the
/// manager.
extension EventNamespace where Base == LocationManager {
    /// New locations: at least one, oldest first.
    public var didUpdateLocations: MethodEvent<[Location]> { base.proxy.didUpdateLocations }

    /// New headings, after `startUpdatingHeading()`.
    public var didUpdateHeading: MethodEvent<Heading> { base.proxy.didUpdateHeading }

    /// Changes of the integrity of a receiver's position.
    public var didChangeIntegrity: MethodEvent<Integrity> { base.proxy.didChangeIntegrity }

    /// Errors that explain why locations are unavailable.
    public var didFailWithError: MethodEvent<LocationError> { base.proxy.didFailWithError }

    /// Changes of the permission to read the receiver.
    public var didChangeAuthorization: MethodEvent<AuthorizationStatus> {
        base.proxy.didChangeAuthorization
    }

    /// Sent when the receiver is lost. The manager waits for its return.
    public var didPauseLocationUpdates: MethodEvent<Void> { base.proxy.didPauseLocationUpdates }

    /// Sent when a lost receiver has returned.
    public var didResumeLocationUpdates: MethodEvent<Void> { base.proxy.didResumeLocationUpdates }

    /// The distance filter in metres.
    public var distanceFilter: ControlProperty<Double> {
        base.control(base.distanceFilterChanges, \.distanceFilter)
    }

    /// The heading filter in degrees.
    public var headingFilter: ControlProperty<Double> {
        base.control(base.headingFilterChanges, \.headingFilter)
    }

    /// The accuracy in metres that `requestLocation` waits for.
    public var desiredAccuracy: ControlProperty<Double> {
        base.control(base.desiredAccuracyChanges, \.desiredAccuracy)
    }
}

extension LocationManager {
    /// Returns a setting as an observable property. A value written through the property is not
    /// sent to its observers.
    fileprivate func control(
        _ changes: Event<Double>,
        _ setting: any WritableKeyPath<LocationManagerState, Double> & Sendable
    ) -> ControlProperty<Double> {
        ControlProperty(
            changes: changes, on: .immediate,
            get: { [weak self] in self?.state.withLock { $0[keyPath: setting] } },
            set: { [weak self] value in self?.state.withLock { $0[keyPath: setting] = value } })
    }
}

/// Provides each delegate method as a stream of the same name, for any number of consumers.
///
/// Each access creates a new stream, which receives everything from then on. Create it before
/// starting updates, and store it if you want to read its `droppedCount`. The stream of a live
/// receiver buffers 256 elements, and drops the oldest ones if the reader is too slow. A file or a
/// pipe waits for the reader. After `stopUpdatingLocation()`, a loop waits for the next start. It
/// ends when its task is cancelled, the manager is released or the source ends. A stream does not
/// retain the manager, so keep a reference to it.
extension LocationManager {
    /// New locations: at least one, oldest first.
    ///
    /// Each access creates a new stream. Start updates by `startUpdatingLocation()`, and keep a
    /// reference to the manager: without one, the stream ends.
    public var didUpdateLocations: EventStream<[Location]> { proxy.didUpdateLocations.values() }

    /// New headings, after `startUpdatingHeading()`.
    public var didUpdateHeading: EventStream<Heading> { proxy.didUpdateHeading.values() }

    /// Changes of the integrity of a receiver's position.
    public var didChangeIntegrity: EventStream<Integrity> { proxy.didChangeIntegrity.values() }

    /// Errors that explain why locations are unavailable.
    public var didFailWithError: EventStream<LocationError> { proxy.didFailWithError.values() }

    /// Changes of the permission to read the receiver. `authorizationStatus` is its current value.
    public var didChangeAuthorization: EventStream<AuthorizationStatus> {
        proxy.didChangeAuthorization.values()
    }

    /// One element for each loss of the receiver. The manager waits for its return.
    public var didPauseLocationUpdates: EventStream<Void> {
        proxy.didPauseLocationUpdates.values()
    }

    /// One element for each return of a lost receiver.
    public var didResumeLocationUpdates: EventStream<Void> {
        proxy.didResumeLocationUpdates.values()
    }
}

/// Calls delegates on the correct queue, and drops calls whose updates have been stopped.
extension LocationManager {
    /// Returns the current run of the given kind of updates. A run lasts until the updates are
    /// stopped.
    func currentRun(of updates: UpdateRun.Updates) -> UpdateRun {
        state.withLock { $0.run(of: updates) }
    }

    /// Calls a delegate: immediately or, if it is on the main actor, on the main queue. Drops the
    /// call if the updates of `run` have been stopped. Must be called on the manager's queue.
    func deliver(
        to delegate: any LocationManagerDelegate, ofRun run: UpdateRun? = nil,
        essential: Bool = false,
        _ call: @escaping @Sendable (any LocationManagerDelegate, LocationManager) -> Void
    ) {
        guard isCurrent(run) else { return }
        guard isIsolated(delegate) else { return call(delegate, self) }
        if !checkedDelegates.contains(delegate) {
            checkedDelegates.add(delegate)
            checkIsolation(of: delegate)
        }
        // References to the delegate and the manager are weak, because the main queue may never
        // run.
        // Safety: a weak reference that never changes, read on the main queue only.
        nonisolated(unsafe) weak let object: AnyObject? = delegate
        mainDeliveries.enqueue(essential: essential) { [weak self] in
            guard let self, isCurrent(run), let delegate = object as? any LocationManagerDelegate,
                proxy.base.hasDelegate(delegate)
            else { return }
            call(delegate, self)
        }
    }

    /// Stops the program if a delegate that is isolated to a global actor is not isolated to the
    /// main actor. The manager cannot call such a delegate.
    private func checkIsolation(of delegate: any LocationManagerDelegate) {
        // Safety: a weak reference that never changes, read on the main actor only.
        nonisolated(unsafe) weak let object: AnyObject? = delegate
        // A cast to a protocol whose conformance is isolated to the main actor succeeds only in a
        // task on that actor.
        Task { @MainActor in
            guard let delegate = object as? any LocationManagerDelegate else { return }
            precondition(
                !isIsolated(delegate),
                """
                \(type(of: delegate)) is a LocationManagerDelegate on a global actor that is not \
                the main actor; adopt the protocol on the main actor, or nonisolated
                """)
        }
    }

    /// Returns whether a call may be delivered: its run has not been stopped, or it has no run.
    func isCurrent(_ run: UpdateRun?) -> Bool {
        run.map { run in state.withLock { $0.isCurrent(run) } } ?? true
    }
}

/// Returns whether a delegate's conformance is isolated to a global actor. Must be called outside
/// that actor.
///
/// On the main thread, the result is `false` for the main actor; the delegate can then be called
/// directly.
private func isIsolated(_ delegate: any LocationManagerDelegate) -> Bool {
    // A generic cast on another thread fails for an isolated conformance (SE-0470).
    func conforms<T>(_ object: AnyObject, to type: T.Type) -> Bool { object is T }
    return !conforms(delegate, to: (any LocationManagerDelegate).self)
}
