// SPDX-License-Identifier: MIT
import GNSS

extension JSONScalar {
    /// The Boolean value: `true`, also in quotes, and numbers other than 0 are true, everything else
    /// is false. In gpsd, a value in quotes is an error.
    var flag: Bool {
        switch self {
        case .bool(let value): value
        case .number(let value): value != 0
        case .string(let text): text == "true"
        default: false
        }
    }

    /// The integer that gpsd reads. Fractions are truncated. Other values and numbers from a
    /// billion up are 0.
    var wholeNumber: Int {
        guard let number, number.magnitude < 1e9 else { return 0 }
        return Int(number)
    }

    /// The path of a device; `nil` for an empty text, which some programs send for all devices.
    var devicePath: String? { text.flatMap { $0.isEmpty ? nil : $0 } }

    /// The text of a quoted string or an unquoted word; `nil` for other values.
    var text: String? {
        switch self {
        case .string(let text), .word(let text): text
        default: nil
        }
    }
}
