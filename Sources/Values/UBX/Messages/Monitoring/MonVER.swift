// SPDX-License-Identifier: MIT

/// The versions of hardware and firmware: `MON-VER`.
public struct MonVER: UBXMessage {
    public static let id = UBXMessageID(0x0A, 0x04)

    /// A line of text about the receiver.
    public struct Extension: UBXBlock {
        /// The text of the line.
        public var text = ""

        public init() {}

        public mutating func fields(_ coder: inout some UBXCoder) {
            coder.text(&text, count: 30)
        }
    }

    /// The version of the firmware.
    public var software = ""
    /// The version of the chip. For example, `00080000` is M8.
    public var hardware = ""
    /// Further lines about the receiver, such as `PROTVER=34.10`.
    public var extensions: [Extension] = []

    public init() {}

    public mutating func fields(_ coder: inout some UBXCoder) {
        coder.text(&software, count: 30)
        coder.text(&hardware, count: 10)
        coder.rest(&extensions, size: 30)
    }

    /// The UBX protocol version, such as 34.10, which determines the features of the chip; `nil` if
    /// the chip does not report it (before generation 7).
    public var protocolVersion: Double? {
        value(of: "PROTVER").flatMap(Double.init)
    }

    /// The version of the firmware, such as `HPG 1.50`. `software` is used if the receiver does not
    /// report it separately (before generation 8).
    public var firmware: String { value(of: "FWVER") ?? software }

    /// The name of the module, such as `NEO-M9N-0`; `nil` if the receiver does not report it.
    public var module: String? { value(of: "MOD") }

    /// Returns the text that follows `name` and `=` or a space in one of the extensions; `nil` if
    /// there is none.
    private func value(of name: String) -> String? {
        for line in extensions where line.text.hasPrefix(name) {
            let rest = line.text.dropFirst(name.count)
            guard let separator = rest.first, separator == "=" || separator == " " else { continue }
            return String(rest.dropFirst())
        }
        return nil
    }
}
