// SPDX-License-Identifier: MIT

/// A tty of a USB device, as described by udev.
public struct DiscoveredDevice: Hashable, Sendable {
    /// The path of the tty's node, such as `/dev/ttyACM0`.
    public let path: String
    /// The USB vendor id.
    public let vendor: UInt16
    /// The USB product id.
    public let product: UInt16
    /// The manufacturer's name that the device reports; `nil` if it reports none.
    public let manufacturerName: String?
    /// The product's name that the device reports; `nil` if it reports none.
    public let productName: String?
    /// The USB serial number; `nil` if the device has none, like many receivers.
    public let serialNumber: String?
    /// The kernel driver of the USB interface, such as `cdc_acm`; `nil` if it is not known.
    public let driver: String?
    /// The number of the USB interface, which distinguishes several ttys of one device; `nil` if it
    /// is not known.
    public let interfaceNumber: Int?
    /// The number of the serial port, which distinguishes several ttys of one USB interface; `nil`
    /// for the first or only one.
    public let serialPortNumber: Int?
    /// The USB port to which the device is connected: udev's `ID_PATH`, or the port's name, such as
    /// `1-4.2`; `nil` if neither is known.
    public let port: String?
    /// Whether the administrator declared the device a receiver (udev property `ID_GPSBRIDGE`).
    public let isDeclared: Bool

    /// The symbolic links to the node, such as `/dev/serial/by-id/…`; empty without udev.
    public let links: [String]
    /// The device number on the USB bus, which changes when the device is plugged in again; `nil`
    /// if it is not known.
    package let busDeviceNumber: Int?

    /// How certain it is that the device is a receiver.
    public enum Kind: String, Sendable {
        /// Certainly a receiver: its USB id belongs only to receivers, or the administrator
        /// declared it (`isDeclared`).
        case receiver
        /// A possible receiver: a generic converter, or a device with GPS or GNSS in its name.
        case candidate
        /// Any other device. It is opened only if the user names it.
        case other
    }

    /// How certain it is that this device is a receiver, according to its USB id and its names.
    public var kind: Kind {
        if isDeclared || known != nil { return .receiver }
        return converter != nil || hasReceiverName ? .candidate : .other
    }

    /// The known receiver with this USB id; `nil` if there is none.
    public var known: KnownReceiver? {
        KnownReceiver.with(vendor: vendor, product: product)
    }

    /// The generic converter with this USB id; `nil` if there is none.
    public var converter: GenericConverter? {
        GenericConverter.with(vendor: vendor, product: product)
    }

    /// Whether the device is certainly a receiver.
    public var isReceiver: Bool { kind == .receiver }

    /// Whether the device is expected to send NMEA sentences without being configured.
    public var sendsNMEA: Bool { isDeclared || known?.sendsNMEA == true }

    /// The USB vendor id as four hexadecimal digits.
    public var vendorID: String { USBID.text(vendor) }

    /// The USB product id as four hexadecimal digits.
    public var productID: String { USBID.text(product) }

    /// The model: the product's name that the device reports, otherwise the name known for its USB
    /// id, otherwise the id.
    public var model: String {
        productName ?? known?.name ?? converter?.name ?? "\(vendorID):\(productID)"
    }

    /// A path that does not change when the device is reconnected; `nil` if there is none. It is
    /// based on the serial number or the USB port.
    public var stablePath: String? {
        // Two identical devices without serial numbers would share one link in by-id.
        let folders = usableSerialNumber != nil ? ["by-id", "by-path"] : ["by-path", "by-id"]
        return folders.lazy.compactMap { folder in
            links.first { $0.hasPrefix("/dev/serial/\(folder)/") }
        }.first
    }

    /// Whether the device's tty has no baud rate, because the device is a known receiver with
    /// built-in USB. Unknown devices with the same driver may be converters.
    public var hasNoBaudRate: Bool { known != nil && driver == "cdc_acm" }

    /// A key that identifies the device's tty after it is reconnected. It is based on the serial
    /// number or, without one, on the USB port; `nil` if neither is known.
    package var key: String? {
        (usableSerialNumber ?? port).map { makeKey($0) }
    }

    /// Like `key`, but never based on the USB port: equal for all devices of this model without a
    /// serial number.
    package var portlessKey: String { makeKey(usableSerialNumber ?? "") }

    private var usableSerialNumber: String? { serialNumber.flatMap { $0.isEmpty ? nil : $0 } }

    private func makeKey(_ identifier: String) -> String {
        let numbers = [interfaceNumber, serialPortNumber].compactMap(\.self).map { ":\($0)" }
            .joined()
        return "\(vendorID):\(productID):\(identifier)\(numbers)"
    }

    /// Returns whether this is another tty of the same USB device.
    package func isSibling(of other: DiscoveredDevice) -> Bool {
        // ID_PATH ends with the interface, which is removed: pci-0000:00:14.0-usb-0:3:1.0.
        func socket(_ device: DiscoveredDevice) -> Substring? {
            device.port.map {
                $0.contains("-usb")
                    ? $0.prefix(upTo: $0.lastIndex(of: ":") ?? $0.endIndex) : $0[...]
            }
        }
        guard let own = socket(self), path != other.path else { return false }
        return own == socket(other) && vendor == other.vendor && product == other.product
    }

    private var hasReceiverName: Bool {
        let words = ((manufacturerName ?? "") + " " + (productName ?? "")).uppercased()
        return words.contains("GPS") || words.contains("GNSS")
    }
}
