// SPDX-License-Identifier: MIT

extension DelegateProxyType {
    /// The host's proxy, made and installed when it is first asked for.
    ///
    /// The delegate the host has becomes the proxy's forward delegate. Where the host has been
    /// given another delegate meanwhile, and its slot isn't routed, the proxy is installed again
    /// and that delegate becomes the forward delegate.
    ///
    /// It is a programming error, which stops the program, if no proxy is registered for the
    /// host's class. A host that doesn't keep what it is assigned gets a proxy whose `isInstalled`
    /// is false; `installedProxy(for:)` throws in both cases.
    public static func proxy(for host: Host) -> Self {
        do {
            return try obtain(for: host, toleratingUnkeptDelegate: true)
        } catch {
            preconditionFailure("\(error)")
        }
    }

    /// The host's proxy as `proxy(for:)` returns it, or an error where that would not be one.
    ///
    /// Throws `DelegationError` with `noFactory` when no proxy is registered for the host's class,
    /// and with `slotNotHonoured` when the host doesn't return the delegate it has been assigned;
    /// the host has its previous delegate then.
    public static func installedProxy(for host: Host) throws(DelegationError) -> Self {
        try obtain(for: host, toleratingUnkeptDelegate: false)
    }

    /// Whether the host calls this proxy.
    public var isInstalled: Bool {
        guard let host = base.host else { return false }
        return holds(Self.currentDelegate(for: host))
    }

    private func holds(_ delegate: Delegate?) -> Bool {
        delegate.map { $0 as AnyObject === self } ?? false
    }

    private static func obtain(
        for host: Host, toleratingUnkeptDelegate isTolerant: Bool
    ) throws(DelegationError) -> Self {
        let entry = ProxyStorage.of(host).entry(for: key)
        // The previous delegate is returned so that it is released outside the lock: this may be
        // its last reference, and its deinit may come back here.
        return try entry.lock.withLock { () throws(DelegationError) -> (Self, Delegate?) in
            if entry.installed == nil {
                keep(try makeProxy(for: host, in: entry), in: entry)
            }
            guard let proxy = entry.installed?.proxy as? Self else {
                throw DelegationError(.noFactory, "\(type(of: host as AnyObject)) for \(Self.self)")
            }
            do throws(DelegationError) {
                return (proxy, try proxy.install(on: host))
            } catch {
                if !isTolerant { throw error }
                return (proxy, nil)
            }
        }.0
    }

    private static func keep(
        _ proxy: any DelegateProxyType<Host, Delegate>, in entry: ProxyEntry
    ) {
        let base = proxy.base
        var reassign: (@Sendable () -> Void)?
        if refreshesByReassigning {
            reassign = { [weak entry, weak proxy] in
                guard let entry, let proxy, let host = base.host else { return }
                entry.lock.withLock { Self.reassign(proxy, to: host) }
            }
        }
        entry.installed = ProxyEntry.Installed(
            proxy: proxy, complete: { base.complete() }, reassign: reassign)
    }

    private static func reassign(_ proxy: AnyObject, to host: Host) {
        guard let current = currentDelegate(for: host), current as AnyObject === proxy else {
            return
        }
        setCurrentDelegate(nil, for: host)
        setCurrentDelegate(current, for: host)
    }

    /// Puts the proxy where the host calls its delegate, and returns what was there.
    private func install(on host: Host) throws(DelegationError) -> Delegate? {
        let previous = Self.currentDelegate(for: host)
        if holds(previous) { return nil }
        guard let delegate = self as? Delegate else {
            preconditionFailure("\(Self.self) has to adopt \(Delegate.self)")
        }
        // The previous delegate first: a call in between reaches it either way, and once.
        base.setForwardToDelegate(previous, retainDelegate: Self.retainsPreviousDelegate)
        Self.setCurrentDelegate(delegate, for: host)
        guard holds(Self.currentDelegate(for: host)) else {
            base.setForwardToDelegate(nil)
            Self.setCurrentDelegate(previous, for: host)
            throw DelegationError(.slotNotHonoured, "\(host)")
        }
        return previous
    }
}
