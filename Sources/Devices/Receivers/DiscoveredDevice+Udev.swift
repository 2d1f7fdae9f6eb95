// SPDX-License-Identifier: MIT
import CUdev

extension DiscoveredDevice {
    /// Reads a tty and its USB parents; nil without a node or without USB. Not for a device of a
    /// "remove" event, whose parents may be somebody else's.
    init?(_ tty: OpaquePointer) {
        guard let path = udev_device_get_devnode(tty),
            let usb = udev_device_get_parent_with_subsystem_devtype(tty, "usb", "usb_device"),
            let vendor = Self.attribute("idVendor", of: usb).flatMap({ UInt16($0, radix: 16) }),
            let product = Self.attribute("idProduct", of: usb).flatMap({ UInt16($0, radix: 16) })
        else { return nil }
        let interface = udev_device_get_parent_with_subsystem_devtype(tty, "usb", "usb_interface")
        self.path = String(cString: path)
        self.vendor = vendor
        self.product = product
        manufacturerName = Self.attribute("manufacturer", of: usb)
        productName = Self.attribute("product", of: usb)
        serialNumber = Self.attribute("serial", of: usb)
        driver = interface.flatMap(udev_device_get_driver).map { String(cString: $0) }
        interfaceNumber = interface.flatMap { Self.attribute("bInterfaceNumber", of: $0) }
            .flatMap { Int($0, radix: 16) }
        let line = udev_device_get_parent_with_subsystem_devtype(tty, "usb-serial", nil)
        serialPortNumber = line.flatMap { Self.attribute("port_number", of: $0) }.flatMap {
            Int($0)
        }
        .flatMap { $0 == 0 ? nil : $0 }
        port =
            Self.property("ID_PATH", of: tty)
            ?? udev_device_get_sysname(usb).map { String(cString: $0) }
        links = Self.property("DEVLINKS", of: tty)?.split(separator: " ").map(String.init) ?? []
        plugNumber = Self.attribute("devnum", of: usb).flatMap { Int($0) }
        isDeclared = Self.property("ID_GPSBRIDGE", of: tty) == "1"
    }

    private static func attribute(_ name: String, of device: OpaquePointer) -> String? {
        udev_device_get_sysattr_value(device, name).map { String(cString: $0) }
    }

    private static func property(_ name: String, of device: OpaquePointer) -> String? {
        udev_device_get_property_value(device, name).map { String(cString: $0) }
    }
}
