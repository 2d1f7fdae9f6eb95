// SPDX-License-Identifier: MIT
import Synchronization

/// Devices that have been listened to without finding a receiver; kept while they stay plugged in.
final class RejectedCandidates: Sendable {
    private let devices = Mutex<Set<DiscoveredDevice>>([])

    /// The devices that have not been listened to; forgets those that have been unplugged.
    func untried(of present: [DiscoveredDevice]) -> [DiscoveredDevice] {
        devices.withLock { devices in
            devices.formIntersection(present)
            return present.filter { !devices.contains($0) }
        }
    }

    /// Adds devices and returns all of them.
    func add(_ tried: [DiscoveredDevice]) -> Set<DiscoveredDevice> {
        devices.withLock { devices in
            devices.formUnion(tried)
            return devices
        }
    }
}
