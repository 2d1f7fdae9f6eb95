// SPDX-License-Identifier: MIT

/// A host's weakly held delegate; a proxy can receive the host's calls without the user noticing.
///
/// The user reads and writes `delegate`; the host calls `sink`. Without a proxy both are the same
/// object. With a proxy, `sink` is the proxy and `delegate` is the object it forwards to. Assigning
/// a delegate therefore detaches no observer, and reading it returns the assigned object.
public final class DelegateSlot<Delegate>: Sendable {
    @usableFromInline
    struct State: Sendable {
        // Safety: this type doesn't call them; the delegate protocol defines the threads that may.
        @usableFromInline nonisolated(unsafe) var proxy: Delegate?
        /// The user's delegate if there is no proxy.
        @usableFromInline var user: WeakDelegate<Delegate>?
        /// The proxy's reference to the user's delegate.
        var forward: ForwardSlot<Delegate>?
        var refresh: (@Sendable () -> Void)?
    }

    @usableFromInline let state = Locked(State())

    /// Creates an empty slot.
    public init() {}

    /// The delegate that the user assigned; `nil` after it has been deallocated.
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
            proxied?.forward?.set(newValue, retained: false)
            proxied?.refresh?()
        }
    }

    /// The object that the host calls: the proxy if there is one, else the user's delegate.
    @inlinable public var sink: Delegate? {
        state.withLock { $0.proxy ?? $0.user?.value }
    }

    /// Makes the proxy `sink` receive the host's calls; without `base`, resets the slot to `sink`.
    func setSink<Host>(_ sink: Delegate?, base: DelegateProxy<Host, Delegate>?) {
        guard let sink, let base else {
            let old = state.withLock { state in
                defer { state = State(user: sink.map(WeakDelegate.init)) }
                return state
            }
            withExtendedLifetime(old) {}
            return
        }
        let old = state.withLock { state in
            // Under the same lock, so that a racing assignment takes effect either here or in the
            // forward slot, even if it removed the delegate that the proxy was given.
            let forwarded = state.forward == nil ? base.forwardSlot.update(to: state.user) : nil
            let old = (state, forwarded)
            state = State(
                proxy: sink, forward: base.forwardSlot, refresh: { [weak base] in base?.refresh() })
            return old
        }
        // Released outside the lock: the deinit of a retained delegate may use this slot.
        withExtendedLifetime(old) {}
        base.refresh()
    }
}
