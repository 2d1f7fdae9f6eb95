// SPDX-License-Identifier: MIT

/// The base of every delegate proxy: the user's delegate, an event for each method, and the relay
/// that calls both.
///
/// A proxy is a class that adopts the delegate protocol, receives the host's delegate calls, and has
/// one line for each method:
///
///     func panel(_ panel: Panel, picked index: Int) {
///         base.relay(picked, index) { $0.panel(panel, picked: index) }
///     }
///
/// It holds the host weakly, and the user's delegate, too, unless asked to retain it. All members
/// may be used from any thread.
public final class DelegateProxy<Host: AnyObject, Delegate>: DelegateRelay {
    private struct State {
        var methods: [any ObservedMethod] = []
        var isCompleted = false
    }

    // Safety: a weak reference that never changes; the host defines the threads that may use it.
    nonisolated(unsafe) private weak let weakHost: Host?
    @usableFromInline let forwardSlot = ForwardSlot<Delegate>()
    @usableFromInline let additional = MulticastDelegate<Delegate>()
    private let state = Locked(State())
    private let interestsOfDelegate: @Sendable (Delegate) -> UInt64
    private let onRefresh: @Sendable () -> Void
    private let interestNotifier: ChangeNotifier<UInt64>

    /// Creates the base of a proxy for `host`.
    ///
    /// `interestsOfDelegate` returns the methods a delegate wants. Default: all.
    /// `onInterestsChange` is called with the new set when it has changed; its calls never overlap.
    public convenience init(
        host: Host,
        interestsOfDelegate: @escaping @Sendable (Delegate) -> UInt64 = { _ in .max },
        onInterestsChange: @escaping @Sendable (UInt64) -> Void = { _ in }
    ) {
        self.init(
            host: host, interestsOfDelegate: interestsOfDelegate,
            onInterestsChange: onInterestsChange, onRefresh: {})
    }

    /// `onRefresh` is called when an event gets its first observer or loses its last one, and when
    /// the user's delegate changes, even if the set of interests stays the same.
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

    /// The object whose delegate calls the proxy receives; `nil` after it has been deallocated.
    public var host: Host? { weakHost }

    /// This object.
    @inlinable public var base: DelegateProxy { self }

    /// Whether delegates have been set or added; they may have been deallocated since.
    @inlinable var hasDelegates: Bool { forwardSlot.isOccupied || additional.isOccupied }

    /// Makes `delegate` the user's delegate until the subscription is disposed.
    ///
    /// Throws `DelegationError.Code.delegateAlreadySet` if there is a delegate, which stays. Disposing
    /// removes the delegate only if it has not been replaced.
    public func installForwardDelegate(
        _ delegate: Delegate, retainDelegate: Bool
    ) throws(DelegationError) -> Subscription {
        let version = try forwardSlot.install(delegate, retained: retainDelegate)
        refresh()
        return Subscription { [weak self] in
            guard let self, forwardSlot.clear(version) else { return }
            refresh()
        }
    }

    /// Creates the event of one method.
    ///
    /// `interests` are the method's bits in the protocol's set. A full `DeliveryQueue` drops calls
    /// of an `essential` method only if no other call is left.
    public func event<Payload: Sendable>(
        _ name: String, of payload: Payload.Type = Payload.self, interests: UInt64 = 0,
        essential: Bool = false
    ) -> MethodEvent<Payload> {
        self.event(name, interests: interests, essential: essential, flow: nil)
    }

    /// Creates the event of one method whose source can pause for the event's consumers.
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
        if isLate { event.complete() }
        return event
    }

    /// Completes every event; called when the host is deallocated.
    public func complete() {
        let methods = state.withLock { state in
            state.isCompleted = true
            return state.methods
        }
        for method in methods { method.complete() }
    }

    /// The union of the interests of the delegates and of the observed events.
    public var interests: UInt64 {
        var interests = state.withLock { $0.methods }
            .reduce(0) { $1.hasObservers ? $0 | $1.interests : $0 }
        callDelegates { interests |= interestsOfDelegate($0) }
        return interests
    }

    /// Calls `onRefresh`, and `onInterestsChange` if the interests have changed.
    func refresh() {
        onRefresh()
        interestNotifier.check { interests }
    }
}

extension DelegateProxy {
    /// Whether `delegate` is the user's delegate or an added one.
    package func hasDelegate(_ delegate: Delegate) -> Bool {
        if let current = forwardSlot.delegate, current as AnyObject === delegate as AnyObject {
            return true
        }
        return additional.contains(delegate)
    }

    /// Calls the user's delegate, then the added ones.
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

    // Not inlined, so that the common case is inlined into the relay: that halves its instructions.
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
