// SPDX-License-Identifier: MIT

/// Parses names on the command line. Each name selects a case of an enumeration.
package enum Choice {
    /// Returns the case whose raw value is `name`. Throws a `UsageError` if there is none. `kind`
    /// is a noun for the error message, such as `format`.
    package static func of<Cases: CaseIterable & RawRepresentable>(
        _ name: String, _ kind: String
    ) throws -> Cases where Cases.RawValue == String {
        guard let choice = Cases(rawValue: name) else {
            throw UsageError.unknown(kind, name, known: Cases.allCases.map(\.rawValue))
        }
        return choice
    }
}

/// Parses a position on the command line: `48.2,16.37`, the forms `48.2, 16.37` and `48.2 16.37` as
/// copied from maps, and all notations of angles that the screen shows, such as `48° 12.345′ N
/// 16° 22.200′ E`.
package enum CoordinateArgument {
    /// Returns the parsed position. Throws a `UsageError` if the text has another form or a value
    /// is out of range.
    package static func coordinate(_ text: String) throws -> Coordinate {
        var parts = parts(text)
        guard parts.count == 2 else {
            throw UsageError(
                "not a position: '\(text)' (expected LAT,LON, such as 48.2,16.37 or "
                    + "48°12.345'N,16°22.2'E)")
        }
        if let first = parts[0].last(where: \.isHemisphere), "EW".contains(first) {
            parts.swapAt(0, 1)
        }
        return Coordinate(latitude: try latitude(parts[0]), longitude: try longitude(parts[1]))
    }

    /// Returns a latitude in degrees. Throws a `UsageError` for other text.
    package static func latitude(_ text: String) throws -> Double {
        try angle(text, "latitude", ("N", "S"), limit: 90)
    }

    /// Returns a longitude in degrees. Throws a `UsageError` for other text.
    package static func longitude(_ text: String) throws -> Double {
        try angle(text, "longitude", ("E", "W"), limit: 180)
    }

    /// Splits a position into its angles, in upper case.
    private static func parts(_ text: String) -> [String] {
        let text = text.uppercased()
        if text.contains(",") {
            return text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        let letters = text.indices.filter { text[$0].isHemisphere }
        if letters.count == 2 {
            let isLeading = text[..<letters[0]].allSatisfy { $0 == " " }
            let middle = isLeading ? letters[1] : text.index(after: letters[0])
            return [String(text[..<middle]), String(text[middle...])]
        }
        let words = text.split(separator: " ")
        let isPair = words.count == 2 || words.count.isMultiple(of: 2) && text.contains("°")
        guard isPair else { return words.map(String.init) }
        let half = words.count / 2
        return [words.prefix(half), words.dropFirst(half)].map { $0.joined(separator: " ") }
    }

    /// Parses degrees, with optional minutes and seconds. The sign is a minus, or the letter of the
    /// hemisphere before or after the numbers.
    private static func angle(
        _ text: String, _ name: String, _ letters: (plus: Character, minus: Character),
        limit: Double
    ) throws -> Double {
        var rest = String(
            text.uppercased().map { "°º˚D'′’\"″”".contains($0) ? " " : $0 == "−" ? "-" : $0 })
        let signs = rest.filter(\.isHemisphere)
        rest = String(rest.filter { !$0.isHemisphere }).trimmed
        let isMinus = rest.hasPrefix("-")
        let numbers = (isMinus ? rest.dropFirst() : rest[...]).split(separator: " ")
        let values = numbers.compactMap { $0.first?.isNumber == true ? Double($0) : nil }
        // Only the last number has decimals, and only degrees may be 60 or more.
        let isRegular =
            values.dropLast().allSatisfy { $0 == $0.rounded() }
            && values.dropFirst().allSatisfy { $0 < 60 }
        let isSigned = signs.isEmpty || signs.count == 1 && !isMinus
        let isRight = signs.allSatisfy { $0 == letters.plus || $0 == letters.minus }
        guard values.count == numbers.count, 1...3 ~= values.count, isRegular, isSigned, isRight
        else {
            return try Number.of(text, name, in: -limit...limit)
        }
        let degrees = zip(values, [1, 60, 3600]).reduce(0) { $0 + $1.0 / $1.1 }
        guard degrees <= limit else { return try Number.of(text, name, in: -limit...limit) }
        return isMinus || signs.first == letters.minus ? -degrees : degrees
    }
}

extension Character {
    /// Whether this is the letter of a hemisphere, in upper case.
    fileprivate var isHemisphere: Bool { "NSEW".contains(self) }
}

/// A length on the command line: metres, or a number with a unit, such as `30m`, `100ft` or
/// `0.5nmi`.
package enum LengthArgument {
    private static let units = [
        "cm": 0.01, "m": 1, "km": 1000, "ft": 0.3048, "yd": 0.9144, "mi": 1609.344, "nmi": 1852,
        "nm": 1852, "NM": 1852,
    ]

    package static func metres(_ text: some StringProtocol) -> Double? {
        Number.of(String(text), units: units)
    }

    /// Parses a length in metres. Throws a `UsageError` if it is not a length within `range`. `name`
    /// names the value in the error message.
    package static func metres(
        _ text: some StringProtocol, _ name: String, in range: ClosedRange<Double>
    ) throws -> Double {
        if let metres = metres(text), range.contains(metres) { return metres }
        throw UsageError(
            "\(name) '\(text)' is not a number of metres from \(Number.bounds(range)), or a length with a unit, "
                + "such as 50m, 100ft or 0.5nmi")
    }
}

/// A speed on the command line: metres per second, or a number with a unit, such as `36km/h` or
/// `10kn`.
package enum SpeedArgument {
    private static let units = [
        "m/s": 1, "mps": 1, "km/h": 1 / 3.6, "kmh": 1 / 3.6, "kph": 1 / 3.6,
        "kn": 1852 / 3600.0, "kt": 1852 / 3600.0, "kts": 1852 / 3600.0, "knots": 1852 / 3600.0,
        "mph": 0.44704, "ft/s": 0.3048,
    ]

    /// Parses a speed in metres per second. Throws a `UsageError` if it is not a speed within
    /// `range`. `name` names the value in the error message.
    package static func metresPerSecond(
        _ text: String, _ name: String, in range: ClosedRange<Double>
    ) throws -> Double {
        if let speed = Number.of(text.lowercased(), units: units), range.contains(speed) {
            return speed
        }
        throw UsageError(
            "\(name) '\(text)' is not a number of metres per second from \(Number.bounds(range)), or a "
                + "speed with a unit, such as 5m/s, 18km/h or 10kn")
    }
}

/// Parses numbers on the command line.
package enum Number {
    /// Parses a number that may be followed by one of the units, and multiplies it by the unit's
    /// factor. Returns `nil` if it is not a number or the unit is not in the table.
    fileprivate static func of(_ text: String, units: [String: Double]) -> Double? {
        if let number = Double(text) { return number }
        let digits = text.prefix { $0.isNumber || ".+-".contains($0) }
        let unit = text.dropFirst(digits.count).filter { $0 != " " }
        guard let value = Double(digits) else { return nil }
        return units[unit].map { value * $0 }
    }

    /// Returns the limits of a range for an error message: `0 to 100`.
    fileprivate static func bounds(_ range: ClosedRange<Double>) -> String {
        "\(short(range.lowerBound)) to \(short(range.upperBound))"
    }

    /// Parses a number. Throws a `UsageError` if it is not a number within `range`. `name` names
    /// the value in the error message, and `unit` its unit in the plural, such as `metres`.
    package static func of(
        _ text: String, _ name: String, in range: ClosedRange<Double>, unit: String? = nil
    ) throws -> Double {
        guard let value = Double(text), range.contains(value) else {
            throw error(text, name, "a number", bounds(range), unit)
        }
        return value
    }

    /// Parses an integer. Throws a `UsageError` if it is not an integer within `range`. `name`
    /// names the value in the error message, and `unit` its unit in the plural, such as `days`.
    package static func whole<Integer: FixedWidthInteger>(
        _ text: String, _ name: String, in range: ClosedRange<Integer>, unit: String? = nil
    ) throws -> Integer {
        guard let value = Integer(text), range.contains(value) else {
            let bounds = "\(range.lowerBound) to \(range.upperBound)"
            throw error(text, name, "a whole number", bounds, unit)
        }
        return value
    }

    /// Parses an integer. Throws a `UsageError` if it is not an integer above 0. `name` names the
    /// value in the error message.
    package static func count(_ text: String, _ name: String) throws -> Int {
        try whole(text, name, in: 1...Int.max)
    }

    private static func error(
        _ text: String, _ name: String, _ kind: String, _ bounds: String, _ unit: String?
    ) -> UsageError {
        let units = unit.map { " of \($0)" } ?? ""
        return UsageError("\(name) '\(text)' is not \(kind)\(units) from \(bounds)")
    }

    /// Returns a number as text, without a decimal point if it is an integer.
    package static func short(_ value: Double) -> String {
        Int(exactly: value).map(String.init) ?? "\(value)"
    }
}

/// An error in the command line. The program prints it on one line and exits with status 2.
package struct UsageError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }

    /// Returns the error for an unknown name. It lists the known names, and suggests one if it is
    /// similar. `kind` is a noun such as `personality`.
    package static func unknown(_ kind: String, _ name: String, known: [String]) -> UsageError {
        UsageError(
            "unknown \(kind) '\(name)'\(suggestion(name, of: known)) "
                + "(known: \(known.joined(separator: ", ")))")
    }

    /// Returns the question whether a known name was meant, which follows the message about an unknown
    /// one: `; did you mean 'gpx'?`. Returns an empty string if no known name is similar.
    package static func suggestion(_ name: String, of known: [String]) -> String {
        nearest(name, of: known).map { "; did you mean '\($0)'?" } ?? ""
    }

    /// Returns the known name that is similar to a name, in upper or lower case; `nil` if there is
    /// none.
    package static func nearest(_ name: String, of known: [String]) -> String? {
        func distance(_ known: String) -> Int {
            Self.distance(known.lowercased(), name.lowercased())
        }
        let begun = known.filter { name.count > 1 && $0.hasPrefix(name) }
        if begun.count == 1 { return begun[0] }
        return known.min { distance($0) < distance($1) }.flatMap {
            distance($0) <= max(1, name.count / 3) ? $0 : nil
        }
    }

    /// Returns the number of letters to change, add or remove, or of neighbours to exchange, to get
    /// from `a` to `b` (optimal string alignment).
    private static func distance(_ a: String, _ b: String) -> Int {
        let (a, b) = (Array(a), Array(b))
        var former: [Int] = []
        var last = Array(0...b.count)
        for (i, letter) in a.enumerated() {
            var row = [i + 1]
            for (j, other) in b.enumerated() {
                var least = min(last[j] + (letter == other ? 0 : 1), row[j] + 1, last[j + 1] + 1)
                if i > 0, j > 0, letter == b[j - 1], a[i - 1] == other {
                    least = min(least, former[j - 1] + 1)
                }
                row.append(least)
            }
            (former, last) = (last, row)
        }
        return last[b.count]
    }
}
