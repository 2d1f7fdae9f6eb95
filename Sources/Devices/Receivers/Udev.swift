// SPDX-License-Identifier: MIT
import CUdev

/// A libudev context, used by one task at a time.
struct Udev: ~Copyable {
    let context: OpaquePointer

    /// The corresponding C function is `udev_new`.
    init?() {
        guard let context = udev_new() else { return nil }
        self.context = context
    }

    deinit { udev_unref(context) }

    /// All ttys with USB behind them.
    ///
    /// The corresponding C function is `udev_enumerate_scan_devices`.
    func ttys() -> [DiscoveredDevice] {
        guard let enumeration = udev_enumerate_new(context) else { return [] }
        defer { udev_enumerate_unref(enumeration) }
        udev_enumerate_add_match_subsystem(enumeration, "tty")
        udev_enumerate_scan_devices(enumeration)
        var devices: [DiscoveredDevice] = []
        var next = udev_enumerate_get_list_entry(enumeration)
        while let entry = next {
            if let device = udev_device_new_from_syspath(context, udev_list_entry_get_name(entry)) {
                if let found = DiscoveredDevice(device) { devices.append(found) }
                udev_device_unref(device)
            }
            next = udev_list_entry_get_next(entry)
        }
        return devices
    }
}
