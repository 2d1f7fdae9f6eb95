// SPDX-License-Identifier: MIT
import NMEA

/// Writes one compact JSON object into a byte buffer; what is not known is left out.
struct JSONObject: ~Copyable {
    private(set) var bytes: [UInt8] = []
    private var isFirst = true

    /// Begins an object.
    mutating func begin() {
        bytes.append(UInt8(ascii: "{"))
        isFirst = true
    }

    /// Ends it.
    mutating func end() {
        bytes.append(UInt8(ascii: "}"))
        isFirst = false
    }

    /// Begins a list of objects.
    mutating func beginList(_ name: StaticString) {
        key(name)
        bytes.append(UInt8(ascii: "["))
        isFirst = true
    }

    /// Ends it.
    mutating func endList() {
        bytes.append(UInt8(ascii: "]"))
        isFirst = false
    }

    /// Parts two objects of a list.
    mutating func separate() {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
    }

    mutating func endLine() {
        bytes.append(UInt8(ascii: "\n"))
    }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
    }

    /// A number with a fixed count of decimals; gpsd prints no exponents, and neither do we.
    mutating func number(_ name: StaticString, _ value: Double?, decimals: Int) {
        guard let value, value.isFinite, abs(value) < 1e9 else { return }
        key(name)
        bytes.append(fixed: value, decimals: decimals)
    }

    mutating func number(_ name: StaticString, _ value: Int?) {
        guard let value else { return }
        key(name)
        bytes.append(integer: value)
    }

    mutating func flag(_ name: StaticString, _ value: Bool) {
        key(name)
        bytes.append(value ? "true" : "false")
    }

    /// Text of ours, which needs no escapes.
    mutating func literal(_ name: StaticString, _ value: StaticString) {
        key(name)
        bytes.append(UInt8(ascii: "\""))
        bytes.append(value)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Anybody's text; lines stay ASCII.
    mutating func text(_ name: StaticString, _ value: String) {
        key(name)
        bytes.append(UInt8(ascii: "\""))
        for unit in value.utf16 {
            switch unit {
            case 0x22, 0x5C:
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(UInt8(unit))
            case 0x20...0x7E:
                bytes.append(UInt8(unit))
            default:
                bytes.append("\\u")
                for shift in [12, 8, 4, 0] {
                    let digit = UInt8(unit >> UInt16(shift) & 15)
                    bytes.append(digit < 10 ? 0x30 + digit : 0x57 + digit)
                }
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    mutating func key(_ name: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        bytes.append(name)
        bytes.append("\":")
    }

    mutating func raw(_ body: (inout [UInt8]) -> Void) {
        body(&bytes)
    }
}
