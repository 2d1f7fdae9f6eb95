// SPDX-License-Identifier: MIT

/// The proxies of one host; when it is deallocated, their events complete.
public final class ProxyStorage: Sendable {
    private let entries = Locked<[ProxyKey: ProxyEntry]>([:])

    /// Creates a storage for one host.
    public init() {}

    deinit {
        for entry in entries.withLock({ $0 }).values { entry.installed?.complete() }
    }

    /// The host's own storage, or the one kept for it in the table.
    static func of(_ host: AnyObject) -> ProxyStorage {
        if let host = host as? any DelegateProxyHost { return host.proxyStorage }
        return ForeignHosts.storage(of: host)
    }

    /// Completes the events of proxies whose hosts are gone, where those hosts are classes that
    /// don't keep their own proxies.
    ///
    /// Uses of such hosts do this too: each one while there are no more than 16 of them, and one in
    /// every sixteenth of their number beyond that.
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

/// One slot of one host: its proxy, once there is one, and the lock that installing it takes.
final class ProxyEntry: Sendable {
    /// What is kept of a proxy.
    struct Installed: Sendable {
        let proxy: any AnyObject & Sendable
        /// Completes the proxy's events.
        let complete: @Sendable () -> Void
        /// Takes the proxy out of its slot and puts it back, for a host that caches.
        let reassign: (@Sendable () -> Void)?
    }

    /// Held while the proxy is made, installed or reassigned. Recursive, for hosts call back.
    let lock = RecursiveLock()
    private let content = Locked<Installed?>(nil)
    private let added = Locked<WeakObject?>(nil)

    var installed: Installed? {
        get { content.withLock { $0 } }
        set { _ = content.exchange(newValue) }
    }

    /// What has been added to a host with several delegates.
    var registered: AnyObject? {
        get { added.withLock { $0 }?.object }
        set { _ = added.exchange(newValue.map(WeakObject.init)) }
    }
}

/// Which of a host's slots a proxy is for: two slots may have the same protocol.
struct ProxyKey: Hashable, Sendable {
    let delegate: ObjectIdentifier
    let slot: String
}
