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

    /// Completes the events of proxies whose hosts have gone, where those hosts are classes that
    /// don't keep their own proxies; every use of such a host does this too.
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
