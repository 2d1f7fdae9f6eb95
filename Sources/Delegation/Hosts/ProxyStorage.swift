// SPDX-License-Identifier: MIT

/// The proxies of one host; their events complete when the host is deallocated.
public final class ProxyStorage: Sendable {
    private let entries = Locked<[ProxyKey: ProxyEntry]>([:])

    /// Creates a storage for one host.
    public init() {}

    deinit {
        for entry in entries.withLock({ $0 }).values { entry.installed?.complete() }
    }

    /// The host's own storage, or its entry in the table of foreign hosts.
    static func of(_ host: AnyObject) -> ProxyStorage {
        if let host = host as? any DelegateProxyHost { return host.proxyStorage }
        return ForeignHosts.storage(of: host)
    }

    /// Completes the events of deallocated hosts whose classes don't store their own proxies.
    ///
    /// Uses of such hosts sweep, too: each use if there are at most 16 such hosts, otherwise one
    /// use for every 16 hosts.
    public static func sweep() {
        ForeignHosts.sweep()
    }

    func entry(for key: ProxyKey) -> ProxyEntry {
        entries.withLock { entries in
            if let entry = entries[key] { return entry }
            let entry = ProxyEntry()
            entries[key] = entry
            return entry
        }
    }
}

/// One slot of one host: its proxy and the lock for installing it.
final class ProxyEntry: Sendable {
    /// A proxy of any type.
    struct Installed: Sendable {
        let proxy: any AnyObject & Sendable
        /// Completes the proxy's events.
        let complete: @Sendable () -> Void
        /// Removes the proxy from its slot and assigns it again; `nil` unless the host caches interests.
        let reassign: (@Sendable () -> Void)?
    }

    private struct State {
        var installed: Installed?
        var addedDelegate: WeakObject?
    }

    /// Held while the proxy is created, installed or reassigned. Recursive, since hosts call back.
    let lock = RecursiveLock()
    private let state = Locked(State())

    /// The proxy; set once.
    var installed: Installed? {
        get { state.withLock { $0.installed } }
        set { state.withLock { $0.installed = newValue } }
    }

    /// The delegate that was added to a host with several delegates.
    var addedDelegate: AnyObject? {
        get { state.withLock { $0.addedDelegate }?.object }
        set { state.withLock { $0.addedDelegate = newValue.map(WeakObject.init) } }
    }
}

/// Identifies one slot of a host by delegate type and name.
struct ProxyKey: Hashable, Sendable {
    let delegate: ObjectIdentifier
    let slot: String
}
