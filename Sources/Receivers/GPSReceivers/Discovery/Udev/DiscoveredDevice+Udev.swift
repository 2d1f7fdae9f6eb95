// SPDX-License-Identifier: MIT
import CGPSUdev

extension DiscoveredDevice {
    /// Reads the properties of a tty and its USB parents. Returns `nil` if it has no device node or
    /// no USB parent.
    ///
    /// Do not use it for a "remove" event: the sysfs paths of the parents may already belong to
    /// another device.
    init?(_ tty: OpaquePointer) {
        guard let path = udev_device_get_devnode(tty),
            let usb = UdevDevice.usbParent(of: tty), let id = UdevDevice.usbID(of: usb)
        else { return nil }
        let interface = udev_device_get_parent_with_subsystem_devtype(tty, "usb", "usb_interface")
        let line = udev_device_get_parent_with_subsystem_devtype(tty, "usb-serial", nil)
        self.path = String(cString: path)
        (vendor, product) = id
        manufacturerName = UdevDevice.attribute("manufacturer", of: usb)
        productName = UdevDevice.attribute("product", of: usb)
        serialNumber = UdevDevice.attribute("serial", of: usb)
        driver = interface.flatMap { UdevDevice.driver(of: $0) }
        interfaceNumber = interface.flatMap { UdevDevice.attribute("bInterfaceNumber", of: $0) }
            .flatMap { Int($0, radix: 16) }
        serialPortNumber = line.flatMap { UdevDevice.attribute("port_number", of: $0) }
            .flatMap { Int($0) }.flatMap { $0 == 0 ? nil : $0 }
        port =
            UdevDevice.property("ID_PATH", of: tty)
            ?? udev_device_get_sysname(usb).map { String(cString: $0) }
        links =
            UdevDevice.property("DEVLINKS", of: tty)?.split(separator: " ").map(String.init) ?? []
        busDeviceNumber = UdevDevice.attribute("devnum", of: usb).flatMap { Int($0) }
        isDeclared = UdevDevice.property("ID_GPSBRIDGE", of: tty) == "1"
    }
}
