// SPDX-License-Identifier: MIT

/// A tty of a USB device, as described by udev.
public struct DiscoveredDevice: Hashable, Sendable {
    /// The node, such as `/dev/ttyACM0`.
    public let path: String
    /// The USB vendor id.
    public let vendor: UInt16
    /// The USB product id.
    public let product: UInt16
    /// The manufacturer, as the device reports it.
    public let manufacturerName: String?
    /// The product, as the device reports it.
    public let productName: String?
    /// The serial number; many receivers have none.
    public let serialNumber: String?
    /// The kernel driver, such as `cdc_acm`.
    public let driver: String?
    /// The number of the USB interface, which distinguishes several ttys of one device.
    public let interfaceNumber: Int?
    /// The number of the port, which distinguishes several ttys of one interface; `nil` if there is
    /// only one.
    public let serialPortNumber: Int?
    /// The USB port to which the device is connected: udev's `ID_PATH`, or the port's name, such as
    /// `1-4.2`.
    public let port: String?
    /// Whether the administrator declared it a receiver (udev property `ID_GPSBRIDGE`).
    public let isDeclared: Bool

    /// The links to the node, such as `/dev/serial/by-id/…`; empty without udev.
    public let links: [String]
    /// The device number on the bus, which changes when the device is plugged in again.
    package let busDeviceNumber: Int?

    /// The certainty that this is a receiver.
    public enum Kind: String, Sendable {
        /// A receiver: by its USB id, which only receivers have, or as declared by the
        /// administrator.
        case receiver
        /// A possible receiver: a generic converter, or a device with GPS or GNSS in its name.
        case candidate
        /// Another device, which is not opened.
        case other
    }

    /// The certainty that this is a receiver.
    public var kind: Kind {
        if isDeclared || known != nil { return .receiver }
        return converter != nil || hasReceiverName ? .candidate : .other
    }

    /// The known receiver with its USB id; `nil` if there is none.
    public var known: KnownReceiver? {
        knownReceivers.first { $0.vendor == vendor && $0.product == product }
    }

    /// The generic converter with its USB id; `nil` if there is none.
    public var converter: GenericConverter? {
        genericConverters.first { $0.vendor == vendor && $0.products.contains(product) }
    }

    /// Whether it is certainly a receiver.
    public var isReceiver: Bool { kind == .receiver }

    /// Whether it is expected to send NMEA sentences without configuration.
    public var sendsNMEA: Bool { isDeclared || known?.sendsNMEA == true }

    /// The USB vendor id in four hexadecimal digits.
    public var vendorID: String { USBID.text(vendor) }

    /// The USB product id in four hexadecimal digits.
    public var productID: String { USBID.text(product) }

    /// The model: as reported by the device, or as known by its USB id.
    public var model: String {
        productName ?? known?.name ?? converter?.name ?? "\(vendorID):\(productID)"
    }

    /// A path that stays the same when the device is plugged in again: by serial number, or by USB
    /// port.
    public var stablePath: String? {
        let isUnique = serialNumber?.isEmpty == false
        // Two equal devices without serial numbers share one link by id.
        let folders = isUnique ? ["by-id", "by-path"] : ["by-path", "by-id"]
        return folders.lazy.compactMap { folder in
            links.first { $0.hasPrefix("/dev/serial/\(folder)/") }
        }.first
    }

    /// Whether its tty has no baud rate: a known receiver with built-in USB. Unknown devices with
    /// the same driver may be converters.
    public var hasNoBaudRate: Bool { known != nil && driver == "cdc_acm" }

    /// Identifies the device when it is plugged in again: by serial number, else by USB port.
    package var key: String? {
        let numbers = [interfaceNumber, serialPortNumber].compactMap(\.self).map { ":\($0)" }
            .joined()
        let place = serialNumber.flatMap { $0.isEmpty ? nil : $0 } ?? port
        return place.map { "\(vendorID):\(productID):\($0)\(numbers)" }
    }

    /// Returns whether this is another tty of the same USB device.
    package func isSibling(of other: DiscoveredDevice) -> Bool {
        // ID_PATH ends with the interface: pci-0000:00:14.0-usb-0:3:1.0.
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
