// SPDX-License-Identifier: MIT
import GPSIO

/// What is plugged in now, as libudev knows it.
public enum DeviceDiscovery {
    /// The receivers: known by their USB id, or declared by the administrator.
    public static func receivers() -> [DiscoveredDevice] {
        devices().filter(\.isReceiver)
    }

    /// What may be receivers: behind converters, or by what they call themselves.
    public static func candidates() -> [DiscoveredDevice] {
        devices().filter { $0.kind == .candidate }
    }

    /// All ttys with USB behind them, ordered by where they are plugged in.
    public static func devices() -> [DiscoveredDevice] {
        guard let udev = Udev() else { return [] }
        return udev.devices(subsystem: "tty") { DiscoveredDevice($0) }
    }

    /// The tty with USB behind it that a path leads to; nil for any other tty.
    public static func device(at path: String) -> DiscoveredDevice? {
        let node = Node(path).realPath
        // There may be thousands of these, and udev knows none.
        guard path.hasPrefix("/dev/tty") || !node.hasPrefix("/dev/pts/") else { return nil }
        return devices().first { $0.path == node || Node($0.path).realPath == node }
    }

    /// What is there, and from then on what comes and goes.
    ///
    /// Every iteration begins with what is there. It ends with its task; nothing is polled, and a
    /// consumer that is slow misses nothing but what came and went meanwhile.
    public static func changes() -> DeviceChanges { DeviceChanges() }
}
