// SPDX-License-Identifier: MIT

/// The receivers that are recognised by their USB id. The list does not contain generic converters.
/// Other products of vendor 1546 (u-blox) are not in the list, because the vendor also makes
/// modems.
public let knownReceivers: [KnownReceiver] = [
    KnownReceiver(0x1546, 0x01a4, "u-blox Antaris 4"),
    KnownReceiver(0x1546, 0x01a5, "u-blox 5"),
    KnownReceiver(0x1546, 0x01a6, "u-blox 6"),
    KnownReceiver(0x1546, 0x01a7, "u-blox 7"),
    KnownReceiver(0x1546, 0x01a8, "u-blox 8"),
    KnownReceiver(0x1546, 0x01a9, "u-blox 9"),
    KnownReceiver(0x1546, 0x01ab, "u-blox X20"),
    KnownReceiver(0x1546, 0x0502, "u-blox evaluation board"),
    KnownReceiver(0x1546, 0x0506, "u-blox evaluation board"),
    KnownReceiver(0x0e8d, 0x3329, "MediaTek MT3329"),
    KnownReceiver(0x067b, 0xaaa0, "Pharos GPS-360"),
    KnownReceiver(0x1163, 0x0100, "DeLorme Earthmate", sendsNMEA: false),
    KnownReceiver(0x1163, 0x0200, "DeLorme Earthmate LT-20"),
    KnownReceiver(0x09d7, 0x0100, "NovAtel"),
    KnownReceiver(0x0a99, 0x0001, "Navman"),
    KnownReceiver(0x1d50, 0x60c7, "Zubax GNSS"),
    KnownReceiver(0x091e, 0x0003, "Garmin", sendsNMEA: false),
    KnownReceiver(0x0df7, 0x0900, "Mobile Action i-gotU", sendsNMEA: false),
    KnownReceiver(0x2639, 0x0001, "Xsens MTi", sendsNMEA: false),
    KnownReceiver(0x2639, 0x0002, "Xsens MTi", sendsNMEA: false),
    KnownReceiver(0x2639, 0x0003, "Xsens MTi", sendsNMEA: false),
    KnownReceiver(0x2639, 0x0011, "Xsens MTi", sendsNMEA: false),
    KnownReceiver(0x2639, 0x0012, "Xsens MTi", sendsNMEA: false),
    KnownReceiver(0x2639, 0x0013, "Xsens MTi", sendsNMEA: false),
    KnownReceiver(0x2639, 0x0017, "Xsens MTi with GNSS", sendsNMEA: false),
]

/// A USB id that belongs only to receivers.
public struct KnownReceiver: Hashable, Sendable {
    /// The USB vendor id.
    public let vendor: UInt16
    /// The USB product id.
    public let product: UInt16
    /// The name of the manufacturer, and of the model or chip.
    public let name: String
    /// Whether the receiver sends NMEA sentences without being configured.
    public let sendsNMEA: Bool

    init(_ vendor: UInt16, _ product: UInt16, _ name: String, sendsNMEA: Bool = true) {
        self.vendor = vendor
        self.product = product
        self.name = name
        self.sendsNMEA = sendsNMEA
    }

    /// Returns the receiver with a USB id; `nil` if there is none.
    static func with(vendor: UInt16, product: UInt16) -> KnownReceiver? {
        knownReceivers.first { $0.vendor == vendor && $0.product == product }
    }
}
