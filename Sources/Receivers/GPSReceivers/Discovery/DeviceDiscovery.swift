// SPDX-License-Identifier: MIT
import GPSIO

/// Lists the ttys of USB devices that are plugged in, according to libudev.
public enum DeviceDiscovery {
    /// Returns the devices that are certainly receivers: they have the USB id of a receiver, or the
    /// administrator declared them (`isDeclared`).
    public static func receivers() -> [DiscoveredDevice] {
        devices().filter(\.isReceiver)
    }

    /// Returns the devices that may be receivers: generic converters, and devices with GPS or GNSS
    /// in their name.
    public static func candidates() -> [DiscoveredDevice] {
        devices().filter { $0.kind == .candidate }
    }

    /// Returns all ttys of USB devices, in the order of the USB ports to which they are connected.
    public static func devices() -> [DiscoveredDevice] {
        guard let udev = Udev() else { return [] }
        return udev.devices(subsystem: "tty") { DiscoveredDevice($0) }
    }

    /// Returns the USB device whose tty is at a path, which may be a link; `nil` for any other tty.
    public static func device(at path: String) -> DiscoveredDevice? {
        let node = Node(path).realPath
        // Pseudo terminals are excluded: udev does not list them, and there may be thousands.
        guard path.hasPrefix("/dev/tty") || !node.hasPrefix("/dev/pts/") else { return nil }
        return devices().first { $0.path == node || Node($0.path).realPath == node }
    }

    /// Returns a sequence of the devices that are present, followed by each change.
    ///
    /// Every `for await` loop over the sequence starts with the devices that are present, and ends
    /// when its task is cancelled. The sequence waits for events and does not poll. A slow loop
    /// misses only devices that appear and disappear between two iterations.
    public static func changes() -> DeviceChanges { DeviceChanges() }
}
