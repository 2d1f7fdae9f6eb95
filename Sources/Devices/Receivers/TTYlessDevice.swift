// SPDX-License-Identifier: MIT
import CUdev

/// A USB device that is, or may carry, a receiver, and of which the kernel has made no tty.
package struct TTYlessDevice: Sendable {
    /// The USB vendor id.
    package let vendor: UInt16
    /// The USB product id.
    package let product: UInt16
    /// The model, in the device's own words or as its id is known.
    package let model: String
    /// Whether it may be used, which USBGuard and the like decide.
    package let isAuthorized: Bool
    /// The drivers of its interfaces.
    package let drivers: [String]

    /// All that are plugged in.
    ///
    /// The corresponding C function is `udev_enumerate_scan_devices`.
    package static func all() -> [TTYlessDevice] {
        guard let udev = Udev() else { return [] }
        return udev.each(subsystem: "usb") { TTYlessDevice($0, udev) }
    }

    private init?(_ usb: OpaquePointer, _ udev: borrowing Udev) {
        func attribute(_ name: String) -> String? {
            udev_device_get_sysattr_value(usb, name).map { String(cString: $0) }
        }
        guard udev_device_get_devtype(usb).map({ String(cString: $0) }) == "usb_device",
            let vendor = attribute("idVendor").flatMap({ UInt16($0, radix: 16) }),
            let product = attribute("idProduct").flatMap({ UInt16($0, radix: 16) })
        else { return nil }
        let known = knownReceivers.first { $0.vendor == vendor && $0.product == product }
        let converter = genericConverters.first {
            $0.vendor == vendor && $0.products.contains(product)
        }
        guard let name = known?.name ?? converter?.name else { return nil }
        let ttys = udev.each(subsystem: "tty", below: usb) { udev_device_get_devnode($0) }
        guard ttys.isEmpty else { return nil }
        self.vendor = vendor
        self.product = product
        model = attribute("product") ?? name
        isAuthorized = attribute("authorized") != "0"
        drivers = udev.each(subsystem: "usb", below: usb) { interface in
            udev_device_get_devtype(interface).map { String(cString: $0) } == "usb_interface"
                ? udev_device_get_driver(interface).map { String(cString: $0) } : nil
        }
    }
}

extension Udev {
    /// What `body` makes of each device of a subsystem, or of those below a device.
    fileprivate func each<T>(
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
