// SPDX-License-Identifier: MIT

/// USB-to-serial converters that may connect a receiver. They are read only if no recognised
/// receiver is plugged in. Nothing is sent to them.
public let genericConverters: [GenericConverter] = [
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
public struct GenericConverter: Hashable, Sendable {
    /// The USB vendor id.
    public let vendor: UInt16
    /// The USB product ids.
    public let products: ClosedRange<UInt16>
    /// The name of the manufacturer and the model.
    public let name: String

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
