// SPDX-License-Identifier: MIT

/// A value of JSON, as clients write it in requests.
package enum JSONValue: Hashable, Sendable {
    /// Text between quotes.
    case string(String)
    /// A number.
    case number(Double)
    /// `true` or `false`.
    case bool(Bool)
    /// `null`.
    case null
    /// A word without quotes that is none of these; gpsd accepts it.
    case word(String)
    /// A list.
    case array([JSONValue])
    /// An object; where a name occurs twice the last value holds.
    case object([String: JSONValue])
}

extension JSONValue {
    /// The boolean as gpsd reads it: everything that is not `true` or a number other than 0 is false.
    var flag: Bool {
        switch self {
        case .bool(let value): value
        case .number(let value): value != 0
        default: false
        }
    }

    /// The whole number as gpsd reads it: 0 for what is no number.
    var wholeNumber: Int {
        guard case .number(let value) = self, value.magnitude < 1e9 else { return 0 }
        return Int(value)
    }

    /// The text, with or without quotes.
    var text: String? {
        switch self {
        case .string(let text), .word(let text): text
        default: nil
        }
    }
}
