// SPDX-License-Identifier: MIT

/// The receivers that are recognised by their USB id. The list does not contain generic converters.
/// Other products of vendor 1546 (u-blox) are not in the list, because the vendor also makes
/// modems.
package let knownReceivers: [KnownReceiver] = [
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
package struct KnownReceiver: Hashable, Sendable {
    /// The USB vendor id.
    package let vendor: UInt16
    /// The USB product id.
    package let product: UInt16
    /// The name of the manufacturer, and of the model or chip.
    package let name: String
    /// Whether the receiver sends NMEA sentences without being configured.
    package let sendsNMEA: Bool

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

/// USB-to-serial converters that may connect a receiver. They are read only if no recognised
/// receiver is plugged in. Nothing is sent to them.
package let genericConverters: [GenericConverter] = [
    GenericConverter(0x067b, 0x2303, "Prolific PL2303"),
    GenericConverter(0x067b, 0x23a3, "Prolific PL2303G"),
    GenericConverter(0x067b, 0x23b3, "Prolific PL2303G"),
    GenericConverter(0x067b, 0x23c3, "Prolific PL2303G"),
    GenericConverter(0x067b, 0x23d3, "Prolific PL2303G"),
    GenericConverter(0x067b, 0x23e3, "Prolific PL2303G"),
    GenericConverter(0x067b, 0x23f3, "Prolific PL2303G"),
    GenericConverter(0x0557, 0x2008, "ATEN UC-232A"),
    GenericConverter(0x10c4, 0xea60...0xea63, "Silicon Labs CP210x"),
    GenericConverter(0x10c4, 0xea70...0xea71, "Silicon Labs CP210x"),
    GenericConverter(0x0403, 0x6001, "FTDI FT232"),
    GenericConverter(0x0403, 0x6010...0x6011, "FTDI FT2232, FT4232"),
    GenericConverter(0x0403, 0x6014...0x6015, "FTDI FT232H, FT-X"),
    GenericConverter(0x1a86, 0x5523, "WCH CH341"),
    GenericConverter(0x1a86, 0x7523, "WCH CH340"),
    GenericConverter(0x1a86, 0x55d3, "WCH CH343"),
    GenericConverter(0x04e2, 0x1400...0x1424, "Exar UART"),
]

/// The USB ids of a converter. It may connect a receiver or any other device.
package struct GenericConverter: Hashable, Sendable {
    /// The USB vendor id.
    package let vendor: UInt16
    /// The USB product ids.
    package let products: ClosedRange<UInt16>
    /// The name of the manufacturer and the model.
    package let name: String

    init(_ vendor: UInt16, _ product: UInt16, _ name: String) {
        self.init(vendor, product...product, name)
    }

    init(_ vendor: UInt16, _ products: ClosedRange<UInt16>, _ name: String) {
        self.vendor = vendor
        self.products = products
        self.name = name
    }

    /// Returns the converter with a USB id; `nil` if there is none.
    static func with(vendor: UInt16, product: UInt16) -> GenericConverter? {
        genericConverters.first { $0.vendor == vendor && $0.products.contains(product) }
    }
}
