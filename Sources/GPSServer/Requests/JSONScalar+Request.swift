// SPDX-License-Identifier: MIT
import GNSS

extension JSONScalar {
    /// The Boolean as gpsd reads it: `true` and numbers other than 0 are true, everything else is
    /// false.
    var flag: Bool {
        switch self {
        case .bool(let value): value
        case .number(let value): value != 0
        default: false
        }
    }

    /// The whole number as gpsd reads it: 0 for anything that is not a number.
    var wholeNumber: Int {
        guard let number, number.magnitude < 1e9 else { return 0 }
        return Int(number)
    }

    /// The text, with or without quotes.
    var text: String? {
        switch self {
        case .string(let text), .word(let text): text
        default: nil
        }
    }
}
