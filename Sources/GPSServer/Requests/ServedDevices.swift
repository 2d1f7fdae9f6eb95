// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import Synchronization

/// The devices of a server as its clients see them, gathered once for all requests between two changes.
package final class ServedDevices: Sendable {
    private let changes = Atomic<Int>(0)
    private let last = Mutex<(changes: Int, snapshot: ServerSnapshot)?>(nil)

    /// Creates one that has not read any device.
    package init() {}

    /// Reports that a device has changed.
    package func noteChange() {
        changes.wrappingAdd(1, ordering: .releasing)
    }

    /// The devices, which `read` returns, at this time.
    package func snapshot(_ read: () -> [ServedDevice]) -> ServerSnapshot {
        let time = SystemClock.now
        // Loaded before the devices are read: a change during reading counts as new.
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
