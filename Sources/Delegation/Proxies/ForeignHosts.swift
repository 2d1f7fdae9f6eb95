// SPDX-License-Identifier: MIT

/// The storages of hosts that can't keep their own.
///
/// A table with weak keys; since nothing tells when a Swift object goes away, entries of those that
/// have are found by looking, on every use.
enum ForeignHosts {
    private struct Entry: Sendable {
        let owner: WeakObject
        let storage: ProxyStorage
    }

    private static let table = Locked<[ObjectIdentifier: Entry]>([:])

    static func storage(of host: AnyObject) -> ProxyStorage {
        sweep()
        return table.withLock { table -> (ProxyStorage, Entry?) in
            // Identifiers are reused, so the entry may be that of an object long gone.
            if let entry = table[ObjectIdentifier(host)], entry.owner.object === host {
                return (entry.storage, nil)
            }
            let storage = ProxyStorage()
            let old = table.updateValue(
                Entry(owner: WeakObject(host), storage: storage), forKey: ObjectIdentifier(host))
            return (storage, old)
        }.0
    }

    /// Drops the storages of objects that are gone, which completes their proxies' events.
    static func sweep() {
        let entries = table.withLock { $0 }
        // Looked at and released outside the lock: either may run a deinit that comes back here.
        let dead = entries.filter { $0.value.owner.object == nil }
        guard !dead.isEmpty else { return }
        table.withLock { table in
            for (id, entry) in dead where table[id]?.owner === entry.owner { table[id] = nil }
        }
    }
}
