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
