// SPDX-License-Identifier: MIT

/// A host's delegate, weakly held, that a proxy can come before without the user seeing it.
///
/// The user reads and writes `delegate`; the host calls `sink`. As long as there is no proxy they
/// are the same. Once there is, `sink` is the proxy and `delegate` is what it forwards to, so that
/// assigning a delegate detaches no observer and reading it returns what was assigned.
public final class DelegateSlot<Delegate>: Sendable {
    @usableFromInline
    struct State: Sendable {
        // Safety: this type calls neither; the protocol says which threads may.
        @usableFromInline nonisolated(unsafe) var proxy: Delegate?
        /// The user's delegate as long as there is no proxy.
        @usableFromInline var user: WeakDelegate<Delegate>?
        /// Where the proxy keeps the user's delegate.
        var forward: ForwardSlot<Delegate>?
        var refresh: (@Sendable () -> Void)?
    }

    @usableFromInline let state = Locked(State())

    /// Creates an empty slot.
    public init() {}

    /// What the user assigned, while it is alive.
    public var delegate: Delegate? {
        get {
            let state = state.withLock { $0 }
            return state.forward.map(\.delegate) ?? state.user?.value
        }
        set {
            let reference = newValue.map(WeakDelegate.init)
            let route = state.withLock { state -> State? in
                if state.forward != nil { return state }
                state.user = reference
                return nil
            }
            route?.forward?.set(newValue, retained: false)
            route?.refresh?()
        }
    }

    /// What the host calls: the proxy if there is one, else the user's delegate.
    @inlinable public var sink: Delegate? {
        state.withLock { $0.proxy ?? $0.user?.value }
    }

    /// Puts a proxy before the user's delegate, or what isn't a proxy in place of everything.
    func place<Host>(_ sink: Delegate?, base: DelegateProxy<Host, Delegate>?) {
        guard let sink, let base else {
            let old = state.withLock { state in
                defer { state = State(user: sink.map(WeakDelegate.init)) }
                return state
            }
            withExtendedLifetime(old) {}
            return
        }
        let old = state.withLock { state in
            // In one step with the change, so that an assignment is seen either here or by `set`:
            // also `nil`, when the delegate was taken away since the proxy was given it.
            let forwarded = state.forward == nil ? base.slot.follow(state.user) : nil
            let old = (state, forwarded)
            state = State(
                proxy: sink, forward: base.slot, refresh: { [weak base] in base?.refresh() })
            return old
        }
        // Released outside the lock: a retained delegate's deinit may come back here.
        withExtendedLifetime(old) {}
        base.refresh()
    }
}
