// SPDX-License-Identifier: MIT

/// The storages of hosts that can't keep their own: a table with weak keys.
///
/// Swift has no notification of another object's deallocation, so entries of hosts that are gone
/// are found by looking. A use of the table looks at all of it once there have been a sixteenth as
/// many uses as entries: each use costs the same on average, however many hosts there are.
enum ForeignHosts {
    private struct Entry: Sendable {
        let owner: WeakObject
        let storage: ProxyStorage
    }

    private struct State {
        var entries: [ObjectIdentifier: Entry] = [:]
        var usesSinceSweep = 0

        /// Counts a use, and returns whether it is time to sweep.
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
            // Identifiers are reused, so the entry may be that of an object long gone.
            if let entry = state.entries[ObjectIdentifier(host)], entry.owner.object === host {
                return (entry.storage, nil)
            }
            let storage = ProxyStorage()
            let old = state.entries.updateValue(
                Entry(owner: WeakObject(host), storage: storage), forKey: ObjectIdentifier(host))
            return (storage, old)
        }.0
    }

    /// Drops the storages of hosts that are gone, which completes their proxies' events.
    static func sweep() {
        let entries = state.withLock { $0.entries }
        // Looked at and released outside the lock: either may run a deinit that comes back here.
        let dead = entries.filter { $0.value.owner.object == nil }
        guard !dead.isEmpty else { return }
        state.withLock { state in
            for (id, entry) in dead where state.entries[id]?.owner === entry.owner {
                state.entries[id] = nil
            }
        }
    }
}
