// SPDX-License-Identifier: MIT

extension DelegateProxyType {
    /// Returns the host's proxy. The first call creates the proxy and installs it as the host's
    /// delegate.
    ///
    /// The proxy forwards calls to the previous delegate. If the program has assigned another
    /// delegate to the host since then, the proxy is installed again and forwards calls to that
    /// delegate. This does not happen with a host that adopts `HasRoutedDelegate`.
    ///
    /// Stops the program if no proxy is registered for the host's class. If the host does not keep
    /// the proxy as its delegate, the proxy's `isInstalled` is `false`. In both cases,
    /// `installedProxy(for:)` throws an error instead.
    public static func proxy(for host: Host) -> Self {
        do {
            return try proxy(for: host, mustBeInstalled: false)
        } catch {
            preconditionFailure("\(error)")
        }
    }

    /// Returns the host's proxy like `proxy(for:)`, or throws an error if it cannot be installed.
    ///
    /// Throws `DelegationError.Code.noFactory` if no proxy is registered for the host's class, or
    /// if the host has a proxy of another type for the same slot. Throws `slotNotHonoured` and
    /// restores the previous delegate if the host does not keep the proxy as its delegate. A host
    /// that wraps its delegates then wraps the previous one once more. The previous delegate is then
    /// retained, and installation is not tried again until the program assigns another one.
    public static func installedProxy(for host: Host) throws(DelegationError) -> Self {
        try proxy(for: host, mustBeInstalled: true)
    }

    /// Whether the host's calls reach this proxy: it is the host's delegate, or another proxy that
    /// is the host's delegate forwards calls to it.
    public var isInstalled: Bool {
        guard let host = base.host else { return false }
        return isReached(from: Self.currentDelegate(for: host))
    }

    /// Makes `delegate` the host's delegate until the returned subscription is disposed. Observers
    /// stay attached.
    ///
    /// If there is already a delegate, keeps it and throws
    /// `DelegationError.Code.delegateAlreadySet`. Also throws the errors of `installedProxy(for:)`.
    /// Disposing the subscription does not remove a delegate that has been set later.
    public static func installForwardDelegate(
        _ delegate: Delegate, retainDelegate: Bool, onProxyFor host: Host
    ) throws(DelegationError) -> Subscription {
        let proxy = try installedProxy(for: host)
        return try proxy.base.installForwardDelegate(delegate, retainDelegate: retainDelegate)
    }

    /// The same as `installForwardDelegate`, with a delegate that is held weakly.
    public static func setDelegate(
        _ delegate: Delegate, for host: Host
    ) throws(DelegationError) -> Subscription {
        try installForwardDelegate(delegate, retainDelegate: false, onProxyFor: host)
    }

    private static func proxy(
        for host: Host, mustBeInstalled: Bool
    ) throws(DelegationError) -> Self {
        let entry = ProxyStorage.of(host).entry(for: key)
        // The installation may replace this delegate, which is then also released outside the lock.
        let rewrapped = entry.rewrapped
        defer { withExtendedLifetime(rewrapped) {} }
        // The closure returns the previous delegate, so that it is released outside the lock. This
        // may be the last reference to it, and its deinit may call this function.
        return try entry.lock.withLock { () throws(DelegationError) -> (Self, Delegate?) in
            if entry.installed == nil {
                store(try makeProxy(for: host, in: entry), in: entry)
            }
            guard let proxy = entry.installed?.proxy as? Self else {
                let other = entry.installed.map { "; it has a \(type(of: $0.proxy))" } ?? ""
                throw DelegationError(
                    .noFactory, "\(type(of: host as AnyObject)) for \(Self.self)\(other)")
            }
            do throws(DelegationError) {
                return (proxy, try proxy.install(on: host, in: entry))
            } catch {
                if mustBeInstalled { throw error }
                return (proxy, nil)
            }
        }.0
    }

    private static func store(
        _ proxy: any DelegateProxyType<Host, Delegate>, in entry: ProxyEntry
    ) {
        let base = proxy.base
        var reassign: (@Sendable () -> Void)?
        // A `HasRoutedDelegate` host reads its slot at each call. Assigning the proxy to the slot
        // again would remove the user's delegate and cause the next reassignment, without end.
        let routed = Host.self as? any HasRoutedDelegate.Type
        if refreshesByReassigning, routed.map({ routes($0) }) != true {
            let reassignHere: @Sendable () -> Void = { [weak entry, weak proxy] in
                guard let entry, let proxy, let host = base.host else { return }
                entry.assign(isRequired: false, interests: { base.interests }) {
                    Self.reassign(proxy, to: host)
                }
            }
            // Attaching an observer reassigns the proxy, and may happen on any thread.
            let isOnMainActor =
                Host.self is any HasMainActorDelegate.Type
                || Host.self is any HasMainActorMulticastDelegate.Type
                || Self.self is any MainActorDelegateProxyType.Type
            reassign = isOnMainActor ? { MainQueue.perform(reassignHere) } : reassignHere
        }
        entry.installed = ProxyEntry.Installed(
            proxy: proxy, complete: { base.complete() }, reassign: reassign)
    }

    /// Returns whether the delegate that the host routes through its `DelegateSlot` has the
    /// delegate type of this proxy type. The host may also have delegates of other types.
    private static func routes<Routed: HasRoutedDelegate>(_ host: Routed.Type) -> Bool {
        Routed.Delegate.self as Any.Type == Delegate.self as Any.Type
    }

    private static func reassign(_ proxy: AnyObject, to host: Host) {
        guard let current = currentDelegate(for: host), current as AnyObject === proxy else {
            return
        }
        setCurrentDelegate(nil, for: host)
        setCurrentDelegate(current, for: host)
    }

    /// Makes the proxy the host's delegate. Returns the previous delegate; `nil` if there was none
    /// or the proxy was already the delegate.
    private func install(
        on host: Host, in entry: ProxyEntry
    ) throws(DelegationError) -> Delegate? {
        let previous = Self.currentDelegate(for: host)
        // A proxy of another type may forward calls to this proxy. If this proxy replaced it as the
        // host's delegate, each would forward calls to the other.
        if isReached(from: previous) { return nil }
        // Another attempt would only wrap the previous delegate once more.
        if let previous, entry.rewrapped?.wrapper.object === previous as AnyObject {
            throw DelegationError(.slotNotHonoured, "\(host)")
        }
        guard let delegate = self as? Delegate else {
            preconditionFailure("\(Self.self) must adopt \(Delegate.self)")
        }
        // The order matters: a call between these two assignments reaches the previous delegate
        // exactly once.
        base.setForwardToDelegate(previous, retainDelegate: Self.retainsPreviousDelegate)
        if entry.installed?.reassign == nil {
            Self.setCurrentDelegate(delegate, for: host)
        } else {
            entry.assign(isRequired: true, interests: { base.interests }) {
                Self.setCurrentDelegate(delegate, for: host)
            }
        }
        guard isReached(from: Self.currentDelegate(for: host)) else {
            base.setForwardToDelegate(nil)
            Self.setCurrentDelegate(previous, for: host)
            entry.rewrapped = ProxyEntry.Rewrapped(
                previous.map { $0 as AnyObject },
                in: Self.currentDelegate(for: host).map { $0 as AnyObject })
            throw DelegationError(.slotNotHonoured, "\(host)")
        }
        entry.rewrapped = nil
        return previous
    }
}
