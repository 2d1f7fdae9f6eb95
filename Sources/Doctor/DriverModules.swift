// SPDX-License-Identifier: MIT
import Devices

extension TTYlessDevice {
    /// The kernel module that makes a tty of it.
    var module: String? {
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

    /// The USB vendor id in four hexadecimal digits.
    var vendorID: String { Self.hex(vendor) }
    /// The USB product id in four hexadecimal digits.
    var productID: String { Self.hex(product) }

    private static func hex(_ id: UInt16) -> String {
        let digits = String(id, radix: 16)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }
}
