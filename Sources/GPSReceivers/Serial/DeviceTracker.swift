// SPDX-License-Identifier: MIT
import Synchronization

/// The identity of a tty's device, to recognise the device when it is plugged in again.
///
/// Some converters all have the same serial number, such as 0001. A device is therefore also
/// identified by its USB port once another device with the same key was present when it was opened.
package struct DeviceMark: Equatable, Sendable {
    private let key: String
    /// The USB port; `nil` if the key is sufficient.
    private let port: String?

    /// Creates the mark of a device with a key (`DiscoveredDevice.key`) at a USB port. `hasTwin` is
    /// `true` if another present device has the same key. `former` is the mark of the device that
    /// was opened before.
    package init(key: String, port: String?, hasTwin: Bool, after former: DeviceMark? = nil) {
        self.key = key
        // The twin may be unplugged now, and return later.
        let hadTwin = former.map { $0.key == key && $0.port != nil } ?? false
        self.port = hasTwin || hadTwin ? port : nil
    }

    /// Returns whether a device with a key at a USB port is the one with this mark.
    package func fits(key: String?, port: String?) -> Bool {
        key == self.key && (self.port == nil || port == self.port)
    }
}

/// Stores which device a source has opened, to find it again if it returns as another tty.
final class DeviceTracker: Sendable {
    private let mark = Mutex<DeviceMark?>(nil)

    /// Returns the device stored by `follow(_:)`, even if it is now another tty, or otherwise the
    /// device at `path`; `nil` if udev knows neither.
    func device(at path: String) -> DiscoveredDevice? {
        let there = DeviceDiscovery.device(at: path)
        guard let mark = mark.withLock({ $0 }), !mark.fits(key: there?.key, port: there?.port)
        else { return there }
        return DeviceDiscovery.devices().first { mark.fits(key: $0.key, port: $0.port) } ?? there
    }

    /// Stores a device that has been opened.
    func follow(_ device: DiscoveredDevice?) {
        guard let device, let key = device.key else { return }
        let hasTwin = DeviceDiscovery.devices().contains {
            $0.key == key && $0.path != device.path
        }
        mark.withLock { former in
            former = DeviceMark(key: key, port: device.port, hasTwin: hasTwin, after: former)
        }
    }
}
