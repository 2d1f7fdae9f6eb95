// SPDX-License-Identifier: MIT
import GPSIO

/// The devices that are plugged in, from libudev.
public enum DeviceDiscovery {
    /// Returns the receivers: known by their USB id, or declared by the administrator.
    public static func receivers() -> [DiscoveredDevice] {
        devices().filter(\.isReceiver)
    }

    /// Returns the devices that may be receivers: generic converters, and devices with GPS or GNSS
    /// in their name.
    public static func candidates() -> [DiscoveredDevice] {
        devices().filter { $0.kind == .candidate }
    }

    /// Returns all ttys of USB devices, ordered by the port to which they are connected.
    public static func devices() -> [DiscoveredDevice] {
        guard let udev = Udev() else { return [] }
        return udev.devices(subsystem: "tty") { DiscoveredDevice($0) }
    }

    /// Returns the USB device's tty to which a path leads; `nil` for any other tty.
    public static func device(at path: String) -> DiscoveredDevice? {
        let node = Node(path).realPath
        // There may be thousands of pseudo terminals, and udev lists none.
        guard path.hasPrefix("/dev/tty") || !node.hasPrefix("/dev/pts/") else { return nil }
        return devices().first { $0.path == node || Node($0.path).realPath == node }
    }

    /// Returns the devices that are present, then each change.
    ///
    /// Every iteration starts with the present devices and ends when its task is cancelled. Nothing
    /// is polled. A slow consumer misses only devices that appear and disappear between two reads.
    public static func changes() -> DeviceChanges { DeviceChanges() }
}
