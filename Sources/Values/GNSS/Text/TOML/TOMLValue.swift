// SPDX-License-Identifier: MIT

/// A value in a TOML file.
package enum TOMLValue: Hashable, Sendable {
    case string(String)
    case integer(Int)
    case number(Double)
    case boolean(Bool)
    case array([TOMLValue])

    /// The value as TOML text.
    package var text: String {
        switch self {
        case .string(let text): Self.quoted(text)
        case .integer(let number): "\(number)"
        case .number(let number):
            number == number.rounded() && number.magnitude < 1e9 ? "\(Int(number))" : "\(number)"
        case .boolean(let isTrue): "\(isTrue)"
        case .array(let values): "[" + values.map(\.text).joined(separator: ", ") + "]"
        }
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                quoted += "\\u\(String(hexadecimal: UInt64(scalar.value), width: 4))"
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}

/// The error thrown if a value is not valid for its key.
package struct TOMLMismatch: Error {
    /// The expected and the actual value, as text.
    package let reason: String

    /// Creates an error with its reason.
    package init(_ reason: String) { self.reason = reason }
}

extension TOMLValue {
    /// Returns the number. Throws an error that names `range` and `unit` if the value is not a
    /// number in that range.
    package func number(in range: ClosedRange<Double>, _ unit: String) throws(TOMLMismatch)
        -> Double
    {
        let number: Double? =
            switch self {
            case .integer(let value): Double(value)
            case .number(let value): value
            default: nil
            }
        guard let number, range.contains(number) else {
            let bounds = "\(TOMLValue.number(range.lowerBound).text) to "
            throw TOMLMismatch(
                "expected \(bounds)\(TOMLValue.number(range.upperBound).text) \(unit), not \(text)")
        }
        return number
    }

    /// Returns the integer. Throws an error that names `range` and `unit` if the value is not an
    /// integer in that range.
    package func integer(in range: ClosedRange<Int>, _ unit: String) throws(TOMLMismatch) -> Int {
        guard case .integer(let value) = self, range.contains(value) else {
            throw TOMLMismatch(
                "expected \(range.lowerBound) to \(range.upperBound) \(unit), not \(text)")
        }
        return value
    }

    /// Returns the boolean. Throws an error if the value is not a boolean.
    package func boolean() throws(TOMLMismatch) -> Bool {
        guard case .boolean(let value) = self else {
            throw TOMLMismatch("expected true or false, not \(text)")
        }
        return value
    }

    /// Returns the string. Throws an error if the value is not a string; `what` describes the
    /// expected string, such as `a name`.
    package func string(_ what: String) throws(TOMLMismatch) -> String {
        guard case .string(let value) = self else {
            throw TOMLMismatch("expected \(what) in quotes, not \(text)")
        }
        return value
    }

    /// Returns the array of strings. Throws an error if the value is not such an array; `what`
    /// describes the expected strings.
    package func strings(_ what: String) throws(TOMLMismatch) -> [String] {
        guard case .array(let values) = self else {
            throw TOMLMismatch("expected \(what) in brackets, not \(text)")
        }
        var strings: [String] = []
        for value in values { strings.append(try value.string(what)) }
        return strings
    }

    /// Returns the element of `values` whose name is this string. Throws an error if there is none.
    package func choice<Value>(
        _ values: some Sequence<Value>, name: (Value) -> String
    ) throws(TOMLMismatch) -> Value {
        let text = try string("a name")
        guard let value = values.first(where: { name($0) == text }) else {
            let names = values.map(name).joined(separator: ", ")
            throw TOMLMismatch("'\(text)' is not one of \(names)")
        }
        return value
    }
}
