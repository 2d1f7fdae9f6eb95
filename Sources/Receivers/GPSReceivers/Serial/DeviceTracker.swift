// SPDX-License-Identifier: MIT
import Glibc
import Synchronization

/// The identity of a tty's device, to recognise the device when it is plugged in again.
///
/// Some converters all have the same serial number, such as 0001. A device is therefore also
/// identified by its USB port once another device with the same key was present when it was opened.
package struct DeviceMark: Equatable, Sendable {
    private let key: String
    private let portlessKey: String
    private let port: String?
    /// Whether another device has had the same key, or the same model without a serial number.
    private let hasTwin: Bool

    /// Creates the mark of a device with a key (`DiscoveredDevice.key`) and a `portlessKey`, at a
    /// USB port. `hasTwin` is `true` if another present device has the same `portlessKey`. `former`
    /// is the mark of the device that was opened before.
    package init(
        key: String, portlessKey: String, port: String?, hasTwin: Bool,
        after former: DeviceMark? = nil
    ) {
        self.key = key
        self.portlessKey = portlessKey
        self.port = port
        // The twin may be unplugged now, and return later.
        let hadTwin = former.map { $0.portlessKey == portlessKey && $0.hasTwin } ?? false
        self.hasTwin = hasTwin || hadTwin
    }

    /// Returns whether a device with a key at a USB port is the one with this mark.
    package func fits(key: String?, port: String?) -> Bool {
        key == self.key && (!hasTwin || self.port == nil || port == self.port)
    }

    /// Returns whether a device is certainly not the one with this mark. A device at the same port
    /// counts as the same one. So does one of the same model without a serial number, unless there
    /// are several, because it may have been plugged into another port.
    package func excludes(key: String?, portlessKey: String, port: String?) -> Bool {
        guard key != nil, port != self.port, !fits(key: key, port: port) else { return false }
        return hasTwin || portlessKey != self.portlessKey
    }
}

/// Stores which device a source has opened, to find it again if it returns as another tty.
final class DeviceTracker: Sendable {
    private let mark = Mutex<DeviceMark?>(nil)

    /// Returns the device stored by `follow(_:)`, even if it is now another tty, or otherwise the
    /// device at `path`; `nil` if udev knows neither.
    ///
    /// Throws `.notFound` if the stored device is absent and another one has its name.
    func device(at path: String) throws(DeviceError) -> DiscoveredDevice? {
        let there = DeviceDiscovery.device(at: path)
        guard let mark = mark.withLock({ $0 }), !mark.fits(key: there?.key, port: there?.port)
        else { return there }
        let devices = DeviceDiscovery.devices()
        if let device = devices.first(where: { mark.fits(key: $0.key, port: $0.port) }) {
            return device
        }
        if let there,
            mark.excludes(key: there.key, portlessKey: there.portlessKey, port: there.port)
        {
            // `ENODEV`, because in a container, no event reports that the device has returned.
            throw DeviceError(.notFound, device: path, errno: ENODEV)
        }
        return there
    }

    /// Stores a device that has been opened.
    func follow(_ device: DiscoveredDevice?) {
        guard let device, let key = device.key else { return }
        let portlessKey = device.portlessKey
        let hasTwin = DeviceDiscovery.devices().contains {
            $0.portlessKey == portlessKey && $0.path != device.path
        }
        mark.withLock { former in
            former = DeviceMark(
                key: key, portlessKey: portlessKey, port: device.port, hasTwin: hasTwin,
                after: former)
        }
    }
}
