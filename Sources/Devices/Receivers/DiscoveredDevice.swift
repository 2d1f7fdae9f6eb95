// SPDX-License-Identifier: MIT

/// A tty with USB behind it, as udev describes it.
public struct DiscoveredDevice: Hashable, Sendable {
    /// The node, such as `/dev/ttyACM0`.
    public let path: String
    /// The USB vendor id.
    public let vendor: UInt16
    /// The USB product id.
    public let product: UInt16
    /// The maker, in the device's own words.
    public let manufacturerName: String?
    /// The product, in the device's own words.
    public let productName: String?
    /// The serial number; many receivers have none.
    public let serialNumber: String?
    /// The kernel driver, such as `cdc_acm`.
    public let driver: String?
    /// The number of the USB interface, which tells several ttys of one device apart.
    public let interfaceNumber: Int?
    /// The socket it is plugged into: udev's `ID_PATH`, or the USB port, such as `1-4.2`.
    public let port: String?
    /// Whether the administrator declared it a receiver (udev property `ID_GPSBRIDGE`).
    public let isDeclared: Bool

    /// The entry of the known receivers with its USB id.
    public var known: KnownReceiver? {
        knownReceivers.first { $0.vendor == vendor && $0.product == product }
    }

    /// Whether it is certainly a receiver.
    public var isReceiver: Bool { isDeclared || known != nil }

    /// Whether sentences can be expected from it without further ado.
    public var speaksNMEA: Bool { isDeclared || known?.speaksNMEA == true }
}
