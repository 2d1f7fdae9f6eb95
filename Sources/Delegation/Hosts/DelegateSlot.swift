// SPDX-License-Identifier: MIT

/// Stores a host's delegate weakly, and optionally a proxy that receives the host's calls first.
///
/// The user of the host reads and writes `delegate`, and the host calls `sink`. Without a proxy,
/// both are the same object. With a proxy, `sink` is the proxy, which forwards calls to `delegate`.
/// Therefore, assigning a delegate does not detach observers, and reading `delegate` always returns
/// the object that the user assigned.
public final class DelegateSlot<Delegate>: Sendable {
    @usableFromInline
    struct State: Sendable {
        // Safety: this type does not call the delegate. The delegate protocol defines the threads
        // that may call it.
        @usableFromInline nonisolated(unsafe) var proxy: Delegate?
        /// The user's delegate if the slot does not have a proxy, otherwise `nil`.
        @usableFromInline var user: WeakDelegate<Delegate>?
        /// The proxy's reference to the user's delegate; `nil` if the slot does not have a proxy.
        var forward: ForwardSlot<Delegate>?
        /// Updates the proxy's interests after the user has assigned a delegate.
        var refresh: (@Sendable () -> Void)?
    }

    @usableFromInline let state = Locked(State())

    /// Creates an empty slot.
    public init() {}

    /// The delegate that the user assigned; `nil` if none is assigned or it has been deallocated.
    ///
    /// Assigning the slot's own proxy has no effect.
    public var delegate: Delegate? {
        get {
            let state = state.withLock { $0 }
            return state.forward.map(\.delegate) ?? state.user?.value
        }
        set {
            let reference = newValue.map(WeakDelegate.init)
            let proxied = state.withLock { state -> State? in
                if state.forward != nil { return state }
                state.user = reference
                return nil
            }
            guard let proxied else { return }
            // A proxy that forwarded a call to itself would never return.
            let proxy = proxied.proxy.map { $0 as AnyObject }
            if let newValue, newValue as AnyObject === proxy { return }
            proxied.forward?.set(newValue, retained: false)
            proxied.refresh?()
        }
    }

    /// The object that the host calls: the proxy if there is one, otherwise the user's delegate.
    @inlinable public var sink: Delegate? {
        state.withLock { $0.proxy ?? $0.user?.value }
    }

    /// Sets the object that the host calls: a proxy with the base `base` or, if `base` is `nil`,
    /// the user's delegate.
    func setSink<Host>(_ sink: Delegate?, base: DelegateProxy<Host, Delegate>?) {
        guard let sink, let base else {
            let old = state.exchange(State(user: sink.map(WeakDelegate.init)))
            return withExtendedLifetime(old) {}
        }
        let old = state.withLock { state in
            // The user's delegate is copied to the proxy while the lock is held. So an assignment
            // by another thread is either included in the copy or made in the proxy afterwards.
            let forwarded = state.forward == nil ? base.forwardSlot.update(to: state.user) : nil
            let old = (state, forwarded)
            state = State(
                proxy: sink, forward: base.forwardSlot, refresh: { [weak base] in base?.refresh() })
            return old
        }
        // The old state is released outside the lock, because the deinit of a retained delegate
        // may use this slot.
        withExtendedLifetime(old) {}
        base.refresh()
    }
}
