// SPDX-License-Identifier: MIT

/// The proxy storages of hosts that do not store their own proxies, keyed by weak references to
/// the hosts.
///
/// Swift does not notify code of another object's deallocation, so the table is regularly searched
/// for deallocated hosts. With n entries, every (n / 16)th use searches it, so the average cost of
/// a use does not depend on the number of hosts.
enum ForeignHosts {
    private struct Entry: Sendable {
        let owner: WeakObject<AnyObject>
        let storage: ProxyStorage
    }

    private struct State {
        var entries: [ObjectIdentifier: Entry] = [:]
        var usesSinceSweep = 0

        /// Counts a use of the table. Returns whether to search it for deallocated hosts.
        mutating func countUse() -> Bool {
            usesSinceSweep += 1
            guard usesSinceSweep * 16 >= entries.count else { return false }
            usesSinceSweep = 0
            return true
        }
    }

    private static let state = Locked(State())

    static func storage(of host: AnyObject) -> ProxyStorage {
        if state.withLock({ $0.countUse() }) { sweep() }
        return state.withLock { state -> (ProxyStorage, Entry?) in
            // Identifiers are reused, so the entry may be that of a deallocated host.
            if let entry = state.entries[ObjectIdentifier(host)], entry.owner.object === host {
                return (entry.storage, nil)
            }
            let storage = ProxyStorage()
            let old = state.entries.updateValue(
                Entry(owner: WeakObject(host), storage: storage), forKey: ObjectIdentifier(host))
            return (storage, old)
        }.0
    }

    /// Releases the storages of deallocated hosts, which completes their proxies' events.
    static func sweep() {
        let entries = state.withLock { $0.entries }
        // Entries are searched and released outside the lock, because both may run a deinit that
        // uses the table.
        let dead = entries.filter { $0.value.owner.object == nil }
        guard !dead.isEmpty else { return }
        state.withLock { state in
            for (id, entry) in dead where state.entries[id]?.owner === entry.owner {
                state.entries[id] = nil
            }
        }
    }
}
