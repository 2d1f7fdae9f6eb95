// SPDX-License-Identifier: MIT

/// The base of a delegate proxy. It has the user's delegate and an event for each delegate method,
/// and relays calls to both.
///
/// A proxy is a class that adopts the delegate protocol, receives the host's delegate calls, and
/// implements each method in one line:
///
///     func panel(_ panel: Panel, picked index: Int) {
///         base.relay(picked, index) { $0.panel(panel, picked: index) }
///     }
///
/// The base holds the host weakly. It also holds the user's delegate weakly, unless
/// `retainDelegate` was passed. All members may be used from any thread.
public final class DelegateProxy<Host: AnyObject, Delegate>: DelegateRelay {
    private struct State {
        var methods: [any ObservedMethod] = []
        var isCompleted = false
    }

    // Safety: the reference never changes. The host defines the threads that may use the object.
    nonisolated(unsafe) private weak let weakHost: Host?
    @usableFromInline let forwardSlot = ForwardSlot<Delegate>()
    @usableFromInline let additional = MulticastDelegate<Delegate>()
    private let state = Locked(State())
    private let interestsOfDelegate: @Sendable (Delegate) -> UInt64
    private let onRefresh: @Sendable () -> Void
    private let interestNotifier: ChangeNotifier<UInt64>

    /// Creates the base of a proxy for `host`.
    ///
    /// `interestsOfDelegate` returns the methods that a delegate implements, as a set of bits.
    /// Default: all. `onInterestsChange` is called with the new value when `interests` has changed.
    /// Its calls never overlap.
    public convenience init(
        host: Host,
        interestsOfDelegate: @escaping @Sendable (Delegate) -> UInt64 = { _ in .max },
        onInterestsChange: @escaping @Sendable (UInt64) -> Void = { _ in }
    ) {
        self.init(
            host: host, interestsOfDelegate: interestsOfDelegate,
            onInterestsChange: onInterestsChange, onRefresh: {})
    }

    /// Creates the base of a proxy for `host`.
    ///
    /// `onRefresh` is called when an event gets its first observer or loses its last one, and when
    /// the user's delegate changes, even if `interests` stays the same.
    init(
        host: Host, interestsOfDelegate: @escaping @Sendable (Delegate) -> UInt64,
        onInterestsChange: @escaping @Sendable (UInt64) -> Void,
        onRefresh: @escaping @Sendable () -> Void
    ) {
        self.onRefresh = onRefresh
        weakHost = host
        self.interestsOfDelegate = interestsOfDelegate
        interestNotifier = ChangeNotifier(initially: 0, onChange: onInterestsChange)
    }

    deinit {
        complete()
    }

    /// The object that calls the proxy as its delegate; `nil` after the object has been
    /// deallocated.
    public var host: Host? { weakHost }

    /// This object, because it is its own base.
    @inlinable public var base: DelegateProxy { self }

    /// Whether a delegate is set or added. Stays `true` if the delegate has been deallocated.
    @inlinable var hasDelegates: Bool { forwardSlot.isOccupied || additional.isOccupied }

    /// Makes `delegate` the user's delegate until the returned subscription is disposed.
    ///
    /// If there is already a delegate, keeps it and throws
    /// `DelegationError.Code.delegateAlreadySet`. Disposing the subscription does not remove a
    /// delegate that has been set later. This proxy, and a proxy that forwards calls to it, are
    /// ignored: the returned subscription is already disposed.
    public func installForwardDelegate(
        _ delegate: Delegate, retainDelegate: Bool
    ) throws(DelegationError) -> Subscription {
        guard !isReached(from: delegate) else { return Subscription() }
        let version = try forwardSlot.install(delegate, retained: retainDelegate)
        refresh()
        return Subscription { [weak self] in
            guard let self, forwardSlot.clear(version) else { return }
            refresh()
        }
    }

    /// Creates the event of one delegate method.
    ///
    /// `interests` are the method's bits. They are set in the proxy's `interests` while the method
    /// is observed. A full `DeliveryQueue` drops calls of an `essential` method only if all waiting
    /// calls are essential.
    public func event<Payload: Sendable>(
        _ name: String, of payload: Payload.Type = Payload.self, interests: UInt64 = 0,
        essential: Bool = false
    ) -> MethodEvent<Payload> {
        self.event(name, interests: interests, essential: essential, flow: nil)
    }

    /// Creates the event of one delegate method. If `flow` is not `nil`, the source can pause while
    /// a consumer's buffer is full.
    package func event<Payload: Sendable>(
        _ name: String, interests: UInt64 = 0, essential: Bool = false, flow: FlowControl?
    ) -> MethodEvent<Payload> {
        let event = MethodEvent<Payload>(
            name: name, interests: interests, isEssential: essential, flow: flow,
            onObservedChange: { [weak self] in self?.refresh() })
        let isLate = state.withLock { state in
            state.methods.append(event)
            return state.isCompleted
        }
        if isLate {
            event.completeSentMessage()
            event.completeMethodInvoked()
        }
        return event
    }

    /// Completes the events of all methods. It is called when the host is deallocated.
    public func complete() {
        complete { $0() }
    }

    /// Completes the events of all methods. Those that are sent after the delegate has been called
    /// are completed after the calls that wait in `queue`.
    package func complete(afterCallsIn queue: DeliveryQueue) {
        complete { queue.enqueueCompletion($0) }
    }

    private func complete(_ schedule: (@escaping @Sendable () -> Void) -> Void) {
        let methods = state.withLock { state in
            state.isCompleted = true
            return state.methods
        }
        for method in methods { method.completeSentMessage() }
        schedule {
            for method in methods { method.completeMethodInvoked() }
        }
    }

    /// The bits of all methods that are observed or that a delegate implements.
    public var interests: UInt64 {
        var interests = state.withLock { $0.methods }
            .reduce(0) { $1.hasObservers ? $0 | $1.interests : $0 }
        callDelegates { interests |= interestsOfDelegate($0) }
        return interests
    }

    /// Calls `onRefresh`, and calls `onInterestsChange` if the interests have changed.
    func refresh() {
        onRefresh()
        interestNotifier.check { interests }
    }
}

extension DelegateProxy {
    /// Returns whether `delegate` is the user's delegate or one of the added delegates.
    package func hasDelegate(_ delegate: Delegate) -> Bool {
        if let current = forwardSlot.delegate, current as AnyObject === delegate as AnyObject {
            return true
        }
        return additional.contains(delegate)
    }

    /// Calls the user's delegate, then the added delegates.
    @inlinable @inline(__always)
    func callDelegates<Failure: Error>(
        _ call: (Delegate) throws(Failure) -> Void
    ) throws(Failure) {
        if additional.isOccupied {
            try callAllDelegates(call)
        } else if let delegate = forwardSlot.delegate {
            try call(delegate)
        }
    }

    // This function is not inlined, so that the common case in `callDelegates` can be inlined into
    // `relay`, which halves the number of instructions.
    @usableFromInline
    func callAllDelegates<Failure: Error>(
        _ call: (Delegate) throws(Failure) -> Void
    ) throws(Failure) {
        let delegate = forwardSlot.delegate
        if let delegate { try call(delegate) }
        try additional.forEach { other throws(Failure) in
            if let delegate, other as AnyObject === delegate as AnyObject { return }
            try call(other)
        }
    }
}
