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
        /// The reference to the user's delegate in the proxy that was set first; `nil` if the slot
        /// does not have a proxy.
        var forward: ForwardSlot<Delegate>?
        /// Sets the delegate of that proxy, and updates the proxy's interests.
        var assign: (@Sendable (Delegate?) -> Void)?
    }

    @usableFromInline let state = Locked(State())

    /// Creates an empty slot.
    public init() {}

    /// The delegate that the user assigned; `nil` if none is assigned or it has been deallocated.
    ///
    /// Assigning the slot's own proxy, or a proxy whose user's delegate that is, has no effect.
    public var delegate: Delegate? {
        get {
            let state = state.withLock { $0 }
            return state.forward.map(\.delegate) ?? state.user?.value
        }
        set {
            let reference = newValue.map(WeakDelegate.init)
            let assign = state.withLock { state -> (@Sendable (Delegate?) -> Void)? in
                if state.assign == nil { state.user = reference }
                return state.assign
            }
            assign?(newValue)
        }
    }

    /// The object that the host calls: the proxy if there is one, otherwise the user's delegate.
    @inlinable public var sink: Delegate? {
        state.withLock { $0.proxy ?? $0.user?.value }
    }

    /// Sets the object that the host calls: a proxy with the base `base` or, if `base` is `nil`,
    /// the user's delegate.
    ///
    /// If the slot already has the proxy of another type, that proxy keeps the user's delegate, and
    /// the new proxy forwards calls to it.
    package func setSink<Host>(_ sink: Delegate?, base: DelegateProxy<Host, Delegate>?) {
        guard let sink, let base else {
            let old = state.exchange(State(user: sink.map(WeakDelegate.init)))
            return withExtendedLifetime(old) {}
        }
        // A proxy that is set again must not be made to forward calls to itself.
        if base.isReached(from: state.withLock { $0.proxy }) { return }
        let old = state.withLock { state -> (State, ForwardSlot<Delegate>.State?) in
            let old = state
            var forwarded: ForwardSlot<Delegate>.State?
            // The proxy's delegate is set while the lock is held. So an assignment by another
            // thread is either included or made in the proxy afterwards.
            if old.forward == nil {
                forwarded = base.forwardSlot.update(to: old.user)
                state = State(
                    proxy: sink, forward: base.forwardSlot,
                    assign: { [weak base] in base?.setForwardToDelegate($0) })
            } else {
                if old.forward !== base.forwardSlot {
                    forwarded = base.forwardSlot.update(to: old.proxy.map(WeakDelegate.init))
                }
                state.proxy = sink
            }
            return (old, forwarded)
        }
        // The old state is released outside the lock, because the deinit of a retained delegate
        // may use this slot.
        withExtendedLifetime(old) {}
        base.refresh()
    }
}
