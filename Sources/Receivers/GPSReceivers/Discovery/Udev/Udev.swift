// SPDX-License-Identifier: MIT
import CGPSUdev

/// A libudev context. It must be used by only one task at a time.
struct Udev: ~Copyable {
    let context: OpaquePointer

    /// Creates a context; `nil` if out of memory. The corresponding C function is `udev_new`.
    init?() {
        guard let context = udev_new() else { return nil }
        self.context = context
    }

    deinit { udev_unref(context) }

    /// Calls `body` for each device of a subsystem, or only for those below `parent`. Returns the
    /// results that are not `nil`.
    ///
    /// The corresponding C function is `udev_enumerate_scan_devices`.
    func devices<T>(
        subsystem: String, below parent: OpaquePointer? = nil, _ body: (OpaquePointer) -> T?
    ) -> [T] {
        guard let enumeration = udev_enumerate_new(context) else { return [] }
        defer { udev_enumerate_unref(enumeration) }
        udev_enumerate_add_match_subsystem(enumeration, subsystem)
        if let parent { udev_enumerate_add_match_parent(enumeration, parent) }
        udev_enumerate_scan_devices(enumeration)
        var found: [T] = []
        var next = udev_enumerate_get_list_entry(enumeration)
        while let entry = next {
            if let device = udev_device_new_from_syspath(context, udev_list_entry_get_name(entry)) {
                if let item = body(device) { found.append(item) }
                udev_device_unref(device)
            }
            next = udev_list_entry_get_next(entry)
        }
        return found
    }
}

/// Reads attributes and properties of a libudev device.
enum UdevDevice {
    /// Returns a sysfs attribute; `nil` if the device does not have it. The corresponding C
    /// function is `udev_device_get_sysattr_value`.
    static func attribute(_ name: String, of device: OpaquePointer) -> String? {
        udev_device_get_sysattr_value(device, name).map { String(cString: $0) }
    }

    /// Returns a udev property; `nil` if the device does not have it. The corresponding C function
    /// is `udev_device_get_property_value`.
    static func property(_ name: String, of device: OpaquePointer) -> String? {
        udev_device_get_property_value(device, name).map { String(cString: $0) }
    }

    /// Returns the kernel driver bound to the device; `nil` if there is none.
    static func driver(of device: OpaquePointer) -> String? {
        udev_device_get_driver(device).map { String(cString: $0) }
    }

    /// Returns the vendor and product id of a USB device; `nil` if it has none.
    static func usbID(of device: OpaquePointer) -> (vendor: UInt16, product: UInt16)? {
        guard let vendor = attribute("idVendor", of: device).flatMap({ UInt16($0, radix: 16) }),
            let product = attribute("idProduct", of: device).flatMap({ UInt16($0, radix: 16) })
        else { return nil }
        return (vendor, product)
    }

    /// Returns the USB device to which `device` belongs; `nil` if it is not a USB device.
    static func usbParent(of device: OpaquePointer) -> OpaquePointer? {
        udev_device_get_parent_with_subsystem_devtype(device, "usb", "usb_device")
    }
}
