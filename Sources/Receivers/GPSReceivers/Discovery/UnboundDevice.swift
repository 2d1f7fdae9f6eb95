// SPDX-License-Identifier: MIT
import CGPSUdev
import GNSS
import GPSIO

/// A USB device that is a known receiver or a generic converter, but has no tty because no driver
/// has created one.
package struct UnboundDevice: Sendable {
    /// The vendor and product id as printed by `lsusb`: `1546:01a7`.
    package let id: String
    /// The model: the product's name that the device reports, otherwise the name known for its USB
    /// id.
    package let model: String
    /// The kernel module that would create a tty; `nil` if it is not known.
    package let module: String?
    /// Whether the kernel has loaded `module`.
    package let isModuleLoaded: Bool
    /// Whether the kernel is permitted to use the device. Programs such as USBGuard can deny that.
    package let isAuthorized: Bool
    /// The kernel drivers that are bound to the device's interfaces.
    package let drivers: [String]

    /// Returns all devices without a tty that are plugged in.
    package static func all() -> [UnboundDevice] {
        guard let udev = Udev() else { return [] }
        return udev.devices(subsystem: "usb") { UnboundDevice($0, udev) }
    }

    /// Creates a description of a device.
    package init(
        id: String, model: String, module: String? = nil, isModuleLoaded: Bool = false,
        isAuthorized: Bool = true, drivers: [String] = []
    ) {
        self.id = id
        self.model = model
        self.module = module
        self.isModuleLoaded = isModuleLoaded
        self.isAuthorized = isAuthorized
        self.drivers = drivers
    }

    private init?(_ usb: OpaquePointer, _ udev: borrowing Udev) {
        guard Self.type(of: usb) == "usb_device", let (vendor, product) = UdevDevice.usbID(of: usb),
            let name = KnownReceiver.with(vendor: vendor, product: product)?.name
                ?? GenericConverter.with(vendor: vendor, product: product)?.name,
            udev.devices(subsystem: "tty", below: usb, { udev_device_get_devnode($0) }).isEmpty
        else { return nil }
        let module = Self.module(vendor, product)
        self.init(
            id: USBID.text(vendor, product),
            model: UdevDevice.attribute("product", of: usb) ?? name,
            module: module,
            isModuleLoaded: module.map { Node("/sys/module/\($0)").isFolder } ?? false,
            isAuthorized: UdevDevice.attribute("authorized", of: usb) != "0",
            drivers: udev.devices(subsystem: "usb", below: usb) { interface in
                Self.type(of: interface) == "usb_interface" ? UdevDevice.driver(of: interface) : nil
            })
    }

    private static func type(of device: OpaquePointer) -> String? {
        udev_device_get_devtype(device).map { String(cString: $0) }
    }

    private static func module(_ vendor: UInt16, _ product: UInt16) -> String? {
        switch (vendor, product) {
        case (0x1546, 0x0500...0x05ff), (0x0403, _): "ftdi_sio"
        case (0x1546, _), (0x0e8d, _), (0x1d50, _), (0x1a86, 0x55d3): "cdc_acm"
        case (0x067b, _), (0x0557, _): "pl2303"
        case (0x10c4, _): "cp210x"
        case (0x1a86, _): "ch341"
        case (0x04e2, _): "xr_serial"
        case (0x1163, _): "cypress_m8"
        case (0x09d7, _): "usb_serial_simple"
        case (0x0a99, _), (0x0df7, _): "navman"
        case (0x091e, _): "garmin_gps"
        case (0x2639, _): "xsens_mt"
        default: nil
        }
    }
}

/// Formats USB ids with four hexadecimal digits each.
enum USBID {
    static func text(_ id: UInt16) -> String {
        String(hexadecimal: UInt64(id), width: 4)
    }

    static func text(_ vendor: UInt16, _ product: UInt16) -> String {
        "\(text(vendor)):\(text(product))"
    }
}
