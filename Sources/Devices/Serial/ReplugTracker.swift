// SPDX-License-Identifier: MIT
import Synchronization

/// Remembers which device a path led to, so that it is found again if it comes back as another tty.
final class ReplugTracker: Sendable {
    private let key = Mutex<String?>(nil)

    /// The device that a path leads to, or led to before; `nil` where udev knows none.
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
