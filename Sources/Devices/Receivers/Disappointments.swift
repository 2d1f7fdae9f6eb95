// SPDX-License-Identifier: MIT
import Synchronization

/// Devices in which no receiver was heard, as long as they stay plugged in.
final class Disappointments: Sendable {
    private let devices = Mutex<Set<DiscoveredDevice>>([])

    /// Those not listened to yet; what has been unplugged meanwhile is forgotten.
    func untried(of present: [DiscoveredDevice]) -> [DiscoveredDevice] {
        devices.withLock { devices in
            devices.formIntersection(present)
            return present.filter { !devices.contains($0) }
        }
    }

    /// Adds some; returns all.
    func note(_ tried: [DiscoveredDevice]) -> Set<DiscoveredDevice> {
        devices.withLock { devices in
            devices.formUnion(tried)
            return devices
        }
    }
}
