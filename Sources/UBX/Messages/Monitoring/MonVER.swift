// SPDX-License-Identifier: MIT

/// Versions of hardware and firmware: `MON-VER`.
public struct MonVER: UBXMessage {
    public static let id = UBXMessageID(0x0A, 0x04)

    /// A line of text.
    public struct Extension: UBXBlock {
        /// The text.
        public var text = ""

        public init() {}

        public mutating func fields(_ coder: inout some UBXCoder) {
            coder.text(&text, count: 30)
        }
    }

    /// The version of the firmware.
    public var software = ""
    /// The version of the chip: `00080000` is M8.
    public var hardware = ""
    /// More lines, such as `PROTVER=34.10`.
    public var extensions: [Extension] = []

    public init() {}

    public mutating func fields(_ coder: inout some UBXCoder) {
        coder.text(&software, count: 30)
        coder.text(&hardware, count: 10)
        coder.rest(&extensions, size: 30)
    }

    /// The version of the protocol, such as 34.10, by which a chip's abilities are known; `nil` before generation 7.
    public var protocolVersion: Double? {
        value(of: "PROTVER").flatMap(Double.init)
    }

    /// The name of the module, such as `NEO-M9N-0`; `nil` if it is not given.
    public var module: String? { value(of: "MOD") }

    /// The text that follows a name, which `=` or a space separates.
    private func value(of name: String) -> String? {
        for line in extensions where line.text.hasPrefix(name) {
            let rest = line.text.dropFirst(name.count)
            guard let separator = rest.first, separator == "=" || separator == " " else { continue }
            return String(rest.dropFirst())
        }
        return nil
    }
}
