// SPDX-License-Identifier: MIT
import GNSS

extension JSONScalar {
    /// The Boolean value. `true`, the string `"true"`, and numbers other than 0 are true. All other
    /// values are false. In gpsd, the string is an error.
    var flag: Bool {
        switch self {
        case .bool(let value): value
        case .number(let value): value != 0
        case .string(let text): text == "true"
        default: false
        }
    }

    /// The value as an integer, as gpsd reads it. Fractions are truncated. The result is 0 for
    /// other values, and for numbers with a magnitude of a billion or more.
    var wholeNumber: Int {
        guard let number, number.magnitude < 1e9 else { return 0 }
        return Int(number)
    }

    /// The path of a device; `nil` for an empty text, which some programs send for all devices, and
    /// for a value without text.
    var devicePath: String? { text.flatMap { $0.isEmpty ? nil : $0 } }

    /// The text of a quoted string or an unquoted word; `nil` for other values.
    var text: String? {
        switch self {
        case .string(let text), .word(let text): text
        default: nil
        }
    }
}
