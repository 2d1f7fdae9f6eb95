// SPDX-License-Identifier: MIT

/// What is plugged in now, as libudev knows it.
public enum DeviceDiscovery {
    /// The receivers: known by their USB id, or declared by the administrator.
    public static func receivers() -> [DiscoveredDevice] {
        devices().filter(\.isReceiver)
    }

    /// All ttys with USB behind them, ordered by where they are plugged in.
    public static func devices() -> [DiscoveredDevice] {
        guard let udev = Udev() else { return [] }
        return udev.ttys()
    }
}
