// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import Synchronization

/// Caches the snapshot of a server's devices. The same snapshot answers all requests until a device
/// changes.
package final class ServedDevices: Sendable {
    private let changes = Atomic<Int>(0)
    private let last = Mutex<(changes: Int, snapshot: ServerSnapshot)?>(nil)

    /// Creates an empty cache.
    package init() {}

    /// Invalidates the snapshot. Call this after each change of a device.
    package func noteChange() {
        changes.wrappingAdd(1, ordering: .releasing)
    }

    /// Returns a snapshot with the current time. Calls `read` to get the devices if there is no
    /// valid snapshot.
    package func snapshot(_ read: () -> [ServedDevice]) -> ServerSnapshot {
        let time = SystemClock.now
        // The count is loaded before the devices are read, so that a change in the meantime
        // invalidates the new snapshot.
        let changes = changes.load(ordering: .acquiring)
        if var snapshot = last.withLock({ $0?.changes == changes ? $0?.snapshot : nil }) {
            snapshot.time = time
            return snapshot
        }
        let snapshot = ServerSnapshot(devices: read(), time: time)
        last.withLock { $0 = (changes, snapshot) }
        return snapshot
    }
}
