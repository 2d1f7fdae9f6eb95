// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import Synchronization

/// The snapshot of a server's devices for its clients, reused for all requests between two changes.
package final class ServedDevices: Sendable {
    private let changes = Atomic<Int>(0)
    private let last = Mutex<(changes: Int, snapshot: ServerSnapshot)?>(nil)

    /// Creates an object without a snapshot.
    package init() {}

    /// Records that a device has changed.
    package func noteChange() {
        changes.wrappingAdd(1, ordering: .releasing)
    }

    /// Returns a snapshot with the current time. Calls `read` for the devices if any has changed.
    package func snapshot(_ read: () -> [ServedDevice]) -> ServerSnapshot {
        let time = SystemClock.now
        // Loaded before reading the devices, so that a change during reading invalidates the
        // snapshot.
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
