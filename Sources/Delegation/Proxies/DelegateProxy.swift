// SPDX-License-Identifier: MIT

/// What every delegate proxy is built on: the user's delegate, an event for each method, and the
/// relay that serves both.
///
/// A proxy is a class that adopts the delegate protocol, sits where the host calls its delegate,
/// and has one line for each method:
///
///     func panel(_ panel: Panel, picked index: Int) {
///         base.relay(picked, index) { $0.panel(panel, picked: index) }
///     }
///
/// It holds the host and, unless asked to retain it, the user's delegate weakly. Everything may be
/// called from any thread.
public final class DelegateProxy<Host: AnyObject, Delegate>: DelegateRelay {
    /// A `MethodEvent` of any payload.
    private struct Method: Sendable {
        let interests: UInt64
        let hasObservers: @Sendable () -> Bool
        let complete: @Sendable () -> Void
    }

    private struct State {
        var methods: [Method] = []
        var isCompleted = false
    }

    // Safety: a weak reference that never changes; which threads use a host is the host's contract.
    nonisolated(unsafe) private weak let weakHost: Host?
    @usableFromInline let slot = ForwardSlot<Delegate>()
    @usableFromInline let additional = MulticastDelegate<Delegate>()
    private let state = Locked(State())
    private let interestsOfDelegate: @Sendable (Delegate) -> UInt64
    private let onEdge: @Sendable () -> Void
    private let interestNotifier: ChangeNotifier<UInt64>
    private let live = LiveToken(.proxies)

    /// Creates the base of a proxy for `host`.
    ///
    /// `interestsOfDelegate` returns the methods a delegate wants. Default: all.
    /// `onInterestsChange` gets the new set when it has changed; its calls never overlap.
    public convenience init(
        host: Host,
        interestsOfDelegate: @escaping @Sendable (Delegate) -> UInt64 = { _ in .max },
        onInterestsChange: @escaping @Sendable (UInt64) -> Void = { _ in }
    ) {
        self.init(
            host: host, interestsOfDelegate: interestsOfDelegate,
            onInterestsChange: onInterestsChange, onEdge: {})
    }

    /// `onEdge` is called whenever an event gets its first observer or loses its last and whenever
    /// the user's delegate changes, also where the set of interests stays the same.
    init(
        host: Host, interestsOfDelegate: @escaping @Sendable (Delegate) -> UInt64,
        onInterestsChange: @escaping @Sendable (UInt64) -> Void,
        onEdge: @escaping @Sendable () -> Void
    ) {
        self.onEdge = onEdge
        weakHost = host
        self.interestsOfDelegate = interestsOfDelegate
        interestNotifier = ChangeNotifier(initially: 0, announce: onInterestsChange)
    }

    deinit {
        complete()
    }

    /// The object whose delegate this stands in for, while it is alive.
    public var host: Host? { weakHost }

    /// Itself.
    @inlinable public var base: DelegateProxy { self }

    /// Whether there is a delegate to call; it may have gone away since.
    @inlinable var hasDelegates: Bool { slot.isOccupied || additional.isOccupied }

    /// Makes `delegate` the user's delegate until the subscription is disposed.
    ///
    /// Throws `DelegationError.Code.delegateAlreadySet` when there is one; that one stays. Disposing
    /// takes the delegate away only if it has not been replaced meanwhile.
    public func installForwardDelegate(
        _ delegate: Delegate, retainDelegate: Bool
    ) throws(DelegationError) -> Subscription {
        let version = try slot.install(delegate, retained: retainDelegate)
        refresh()
        return Subscription { [weak self] in
            guard let self, slot.clear(version) else { return }
            refresh()
        }
    }

    /// Creates the event of one method.
    ///
    /// `interests` are the bits the method has in the protocol's own set. An `essential` method
    /// keeps its place in a full `DeliveryQueue` as long as there is another to drop.
    public func event<Payload: Sendable>(
        _ name: String, of payload: Payload.Type = Payload.self, interests: UInt64 = 0,
        essential: Bool = false
    ) -> MethodEvent<Payload> {
        self.event(name, interests: interests, essential: essential, flow: nil)
    }

    /// As above, with a source that may wait for the event's consumers.
    package func event<Payload: Sendable>(
        _ name: String, interests: UInt64 = 0, essential: Bool = false, flow: FlowControl?
    ) -> MethodEvent<Payload> {
        let event = MethodEvent<Payload>(
            name: name, interests: interests, isEssential: essential, flow: flow,
            onEdge: { [weak self] in self?.refresh() })
        let method = Method(
            interests: interests, hasObservers: { event.hasObservers },
            complete: { event.complete() })
        let isLate = state.withLock { state in
            state.methods.append(method)
            return state.isCompleted
        }
        if isLate { event.complete() }
        return event
    }

    /// Completes every event; done when the host goes away.
    public func complete() {
        let methods = state.withLock { state in
            state.isCompleted = true
            return state.methods
        }
        for method in methods { method.complete() }
    }

    /// What the delegates want and what is observed, united.
    public var interests: UInt64 {
        var interests = state.withLock { $0.methods }
            .reduce(0) { $1.hasObservers() ? $0 | $1.interests : $0 }
        callDelegates { interests |= interestsOfDelegate($0) }
        return interests
    }

    /// Calls `onInterestsChange` if the interests have changed.
    func refresh() {
        onEdge()
        interestNotifier.request { interests }
    }
}

extension DelegateProxy {
    /// Whether `delegate` is the user's delegate or one that was added.
    package func hasDelegate(_ delegate: Delegate) -> Bool {
        if let current = slot.delegate, current as AnyObject === delegate as AnyObject {
            return true
        }
        return additional.contains(delegate)
    }

    /// Calls the user's delegate and those that were added.
    @inlinable @inline(__always)
    func callDelegates<Failure: Error>(
        _ call: (Delegate) throws(Failure) -> Void
    ) throws(Failure) {
        if additional.isOccupied {
            try callEveryDelegate(call)
        } else if let delegate = slot.delegate {
            try call(delegate)
        }
    }

    // Apart, so that the usual case is small enough to be inlined: a call costs 20 ns less then.
    @usableFromInline
    func callEveryDelegate<Failure: Error>(
        _ call: (Delegate) throws(Failure) -> Void
    ) throws(Failure) {
        let delegate = slot.delegate
        if let delegate { try call(delegate) }
        try additional.forEach { other throws(Failure) in
            if let delegate, other as AnyObject === delegate as AnyObject { return }
            try call(other)
        }
    }
}
