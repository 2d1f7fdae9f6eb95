// SPDX-License-Identifier: MIT
import Synchronization

/// Which device a path led to the last time: plugged in again it is the same receiver, even as another
/// tty.
final class DeviceTrail: Sendable {
    private let key = Mutex<String?>(nil)

    /// The device that is meant by a path; nil where there is none, or none that udev knows.
    func device(at path: String) -> DiscoveredDevice? {
        let there = DeviceDiscovery.device(at: path)
        let key = key.withLock { $0 }
        guard let key, there?.key != key else { return there }
        return DeviceDiscovery.devices().first { $0.key == key } ?? there
    }

    /// Remembers a device that has been opened.
    func follow(_ device: DiscoveredDevice?) {
        guard let new = device?.key else { return }
        key.withLock { $0 = new }
    }
}
