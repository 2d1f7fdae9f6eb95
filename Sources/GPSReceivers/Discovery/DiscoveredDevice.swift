// SPDX-License-Identifier: MIT

/// A tty with USB behind it, as udev describes it.
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
    /// The number of the USB interface: distinguishes several ttys of one device.
    public let interfaceNumber: Int?
    /// The number of the port: distinguishes several ttys of one interface; `nil` where there is one.
    public let serialPortNumber: Int?
    /// The socket it is plugged into: udev's `ID_PATH`, or the USB port, such as `1-4.2`.
    public let port: String?
    /// Whether the administrator declared it a receiver (udev property `ID_GPSBRIDGE`).
    public let isDeclared: Bool

    /// Links that lead to it, such as `/dev/serial/by-id/…`; empty where there is no udev.
    public let links: [String]
    /// The bus's count of insertions: distinguishes the same device plugged in again.
    package let plugNumber: Int?

    /// How sure it is that this is a receiver.
    public enum Kind: String, Sendable {
        /// Nothing else has its USB id, or the administrator says so.
        case receiver
        /// A converter that may carry anything, or something that calls itself GPS or GNSS.
        case candidate
        /// Something else, which is left alone.
        case other
    }

    /// How sure it is that this is a receiver.
    public var kind: Kind {
        if isDeclared || known != nil { return .receiver }
        return converter != nil || callsItselfReceiver ? .candidate : .other
    }

    /// The entry of the known receivers with its USB id.
    public var known: KnownReceiver? {
        knownReceivers.first { $0.vendor == vendor && $0.product == product }
    }

    /// The entry of the generic converters with its USB id.
    public var converter: GenericConverter? {
        genericConverters.first { $0.vendor == vendor && $0.products.contains(product) }
    }

    /// Whether it is certainly a receiver.
    public var isReceiver: Bool { kind == .receiver }

    /// Whether sentences can be expected from it without further ado.
    public var speaksNMEA: Bool { isDeclared || known?.speaksNMEA == true }

    /// The USB vendor id in four hexadecimal digits.
    public var vendorID: String { USBID.text(vendor) }

    /// The USB product id in four hexadecimal digits.
    public var productID: String { USBID.text(product) }

    /// The model: as the device reports it, or as known by its USB id.
    public var model: String {
        productName ?? known?.name ?? converter?.name ?? "\(vendorID):\(productID)"
    }

    /// A path that stays the same when it is plugged in again: by serial number, or by socket.
    public var stablePath: String? {
        let isUnique = serialNumber?.isEmpty == false
        // Without a serial number two equal devices share one link by id.
        let folders = isUnique ? ["by-id", "by-path"] : ["by-path", "by-id"]
        return folders.lazy.compactMap { folder in
            links.first { $0.hasPrefix("/dev/serial/\(folder)/") }
        }.first
    }

    /// Whether its tty has no baud rate: a receiver with USB of its own. Other devices of the same
    /// driver may be converters.
    public var hasNoBaudRate: Bool { known != nil && driver == "cdc_acm" }

    /// Identifies it when it is plugged in again: by its serial number, or else by the socket.
    package var key: String? {
        let numbers = [interfaceNumber, serialPortNumber].compactMap(\.self).map { ":\($0)" }
            .joined()
        let place = serialNumber.flatMap { $0.isEmpty ? nil : $0 } ?? port
        return place.map { "\(vendorID):\(productID):\($0)\(numbers)" }
    }

    /// Whether it is another tty of the same USB device.
    package func isSibling(of other: DiscoveredDevice) -> Bool {
        // ID_PATH ends with the interface, as in pci-0000:00:14.0-usb-0:3:1.0.
        func socket(_ device: DiscoveredDevice) -> Substring? {
            device.port.map {
                $0.contains("-usb")
                    ? $0.prefix(upTo: $0.lastIndex(of: ":") ?? $0.endIndex) : $0[...]
            }
        }
        guard let own = socket(self), path != other.path else { return false }
        return own == socket(other) && vendor == other.vendor && product == other.product
    }

    private var callsItselfReceiver: Bool {
        let words = ((manufacturerName ?? "") + " " + (productName ?? "")).uppercased()
        return words.contains("GPS") || words.contains("GNSS")
    }
}
