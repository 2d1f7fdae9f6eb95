// SPDX-License-Identifier: MIT

extension DelegateProxyType {
    /// Returns the host's proxy; the first call creates and installs it.
    ///
    /// The host's delegate becomes the proxy's forward delegate. If another delegate has replaced
    /// the proxy, which is possible unless the host adopts `HasRoutedDelegate`, the proxy is installed
    /// again and forwards to that delegate.
    ///
    /// Stops the program if no proxy is registered for the host's class. If the host doesn't keep
    /// the assigned delegate, the proxy's `isInstalled` is `false`. `installedProxy(for:)` throws in
    /// both cases.
    public static func proxy(for host: Host) -> Self {
        do {
            return try proxy(for: host, mustBeInstalled: false)
        } catch {
            preconditionFailure("\(error)")
        }
    }

    /// Returns the host's proxy like `proxy(for:)`, or throws an error if it can't be installed.
    ///
    /// Throws `DelegationError.Code.noFactory` if no proxy is registered for the host's class, and
    /// `slotNotHonoured` if the host doesn't return the delegate it was assigned; the host then has
    /// its previous delegate again.
    public static func installedProxy(for host: Host) throws(DelegationError) -> Self {
        try proxy(for: host, mustBeInstalled: true)
    }

    /// Whether the host calls this proxy.
    public var isInstalled: Bool {
        guard let host = base.host else { return false }
        return isSelf(Self.currentDelegate(for: host))
    }

    private func isSelf(_ delegate: Delegate?) -> Bool {
        delegate.map { $0 as AnyObject === self } ?? false
    }

    private static func proxy(
        for host: Host, mustBeInstalled: Bool
    ) throws(DelegationError) -> Self {
        let entry = ProxyStorage.of(host).entry(for: key)
        // Returns the previous delegate, so that it is released outside the lock: this may be its
        // last reference, and its deinit may call this function.
        return try entry.lock.withLock { () throws(DelegationError) -> (Self, Delegate?) in
            if entry.installed == nil {
                store(try makeProxy(for: host, in: entry), in: entry)
            }
            guard let proxy = entry.installed?.proxy as? Self else {
                throw DelegationError(.noFactory, "\(type(of: host as AnyObject)) for \(Self.self)")
            }
            do throws(DelegationError) {
                return (proxy, try proxy.install(on: host))
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

    /// Makes the proxy the host's delegate and returns the previous one; `nil` if it was the proxy.
    private func install(on host: Host) throws(DelegationError) -> Delegate? {
        let previous = Self.currentDelegate(for: host)
        if isSelf(previous) { return nil }
        guard let delegate = self as? Delegate else {
            preconditionFailure("\(Self.self) must adopt \(Delegate.self)")
        }
        // In this order a call between the two assignments reaches the previous delegate once.
        base.setForwardToDelegate(previous, retainDelegate: Self.retainsPreviousDelegate)
        Self.setCurrentDelegate(delegate, for: host)
        guard isSelf(Self.currentDelegate(for: host)) else {
            base.setForwardToDelegate(nil)
            Self.setCurrentDelegate(previous, for: host)
            throw DelegationError(.slotNotHonoured, "\(host)")
        }
        return previous
    }
}
