// SPDX-License-Identifier: MIT

/// A host's delegate, weakly held, that a proxy can come before without the user seeing it.
///
/// The user reads and writes `delegate`; the host calls `sink`. As long as there is no proxy they
/// are the same. Once there is, `sink` is the proxy and `delegate` is what it forwards to, so that
/// assigning a delegate detaches no observer and reading it returns what was assigned.
public final class DelegateSlot<Delegate>: Sendable {
    private struct Route: Sendable {
        let proxy: WeakDelegate<Delegate>
        let forward: ForwardSlot<Delegate>
        let refresh: @Sendable () -> Void
    }

    private enum Content: Sendable {
        case empty
        case user(WeakDelegate<Delegate>)
        case proxy(Route)
    }

    private let content = Locked(Content.empty)

    /// Creates an empty slot.
    public init() {}

    /// What the user assigned, while it is alive.
    public var delegate: Delegate? {
        get {
            switch content.withLock({ $0 }) {
            case .empty: nil
            case .user(let reference): reference.value
            case .proxy(let route): route.forward.delegate
            }
        }
        set {
            let new = newValue.map { Content.user(WeakDelegate($0)) } ?? .empty
            let route = content.withLock { content -> Route? in
                if case .proxy(let route) = content { return route }
                content = new
                return nil
            }
            route?.forward.set(newValue, retained: false)
            route?.refresh()
        }
    }

    /// What the host calls: the proxy if there is one, else the user's delegate.
    public var sink: Delegate? {
        switch content.withLock({ $0 }) {
        case .empty: nil
        case .user(let reference): reference.value
        case .proxy(let route): route.proxy.value
        }
    }

    /// Puts a proxy before the user's delegate, or what isn't a proxy in place of everything.
    func place<Host>(_ sink: Delegate?, base: DelegateProxy<Host, Delegate>?) {
        guard let sink else {
            content.withLock { $0 = .empty }
            return
        }
        let reference = WeakDelegate(sink)
        guard let base else {
            content.withLock { $0 = .user(reference) }
            return
        }
        let route = Route(
            proxy: reference, forward: base.slot, refresh: { [weak base] in base?.refresh() })
        content.withLock { content in
            // In one step with the change, so that no assignment from elsewhere falls in between.
            if case .user(let user) = content { base.slot.set(user) }
            content = .proxy(route)
        }
        base.refresh()
    }
}
