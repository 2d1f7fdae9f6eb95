// SPDX-License-Identifier: MIT

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
            return try ArgumentForm.number("", -limit...limit).parse(text, name)
        }
        let degrees = zip(values, [1, 60, 3600]).reduce(0) { $0 + $1.0 / $1.1 }
        guard degrees <= limit else {
            return try ArgumentForm.number("", -limit...limit).parse(text, name)
        }
        return isMinus || signs.first == letters.minus ? -degrees : degrees
    }
}

extension Character {
    /// Whether this is the letter of a hemisphere, in upper case.
    fileprivate var isHemisphere: Bool { "NSEW".contains(self) }
}

/// The values that an option accepts: their placeholder in help, the known ones, and their parser.
package struct ArgumentForm<Value>: Sendable {
    /// The placeholder in help, such as `FILE`.
    let placeholder: String
    /// The possible values; empty if they are not known.
    let choices: [String]
    /// Returns the value of a text. Throws a `UsageError` for other text; `name` is the name of the
    /// option.
    package let parse: @Sendable (_ text: String, _ name: String) throws -> Value

    /// Creates a form with a parser that does not need the name of the option.
    package init(
        _ placeholder: String, choices: [String] = [],
        _ parse: @escaping @Sendable (String) throws -> Value
    ) {
        (self.placeholder, self.choices) = (placeholder, choices)
        self.parse = { text, _ in try parse(text) }
    }

    /// Creates a form with a parser that returns `nil` for wrong text. The error message says that it
    /// is `not` the value, such as `a time`, and what was `expected`.
    package init(
        _ placeholder: String, not noun: String, expected: String,
        _ parse: @escaping @Sendable (String) -> Value?
    ) {
        self.init(placeholder) { text in
            guard let value = parse(text) else {
                throw UsageError("not \(noun): '\(text)' (expected \(expected))")
            }
            return value
        }
    }

    /// Creates a form with a parser that returns `nil` for wrong text. The error message consists of
    /// the name of the option or, if it is given, the noun `kind`, and what was `expected`.
    package init(
        _ placeholder: String, called kind: String? = nil, _ expected: String,
        _ parse: @escaping @Sendable (String) -> Value?
    ) {
        (self.placeholder, choices) = (placeholder, [])
        self.parse = { text, name in
            guard let value = parse(text) else {
                throw UsageError("\(kind ?? name) '\(text)' is not \(expected)")
            }
            return value
        }
    }
}

extension ArgumentForm where Value: Sendable {
    /// One of several values with names. `kind` is a noun for the error message, by default the
    /// placeholder.
    package static func choice(
        _ placeholder: String, among values: some Sequence<Value>, called kind: String? = nil,
        name: (Value) -> String
    ) -> ArgumentForm {
        let named = values.map { (name: name($0), value: $0) }
        let names = named.map(\.name)
        return ArgumentForm(placeholder, choices: names) { text in
            guard let found = named.first(where: { $0.name == text }) else {
                throw UsageError.unknown(kind ?? placeholder.lowercased(), text, known: names)
            }
            return found.value
        }
    }

    /// A case of an enumeration, by its raw value. `kind` is a noun for the error message, by default
    /// the placeholder.
    package static func choice(
        _ placeholder: String, called kind: String? = nil
    ) -> ArgumentForm where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
        choice(placeholder, among: Value.allCases, called: kind) { $0.rawValue }
    }

    /// A list of values with names, separated by commas. `kind` is a noun for the error message.
    package static func set<Element: Hashable & Sendable>(
        _ placeholder: String, among values: some Sequence<Element>, called kind: String,
        name: (Element) -> String
    ) -> ArgumentForm where Value == Set<Element> {
        let element = ArgumentForm<Element>.choice(
            placeholder, among: values, called: kind, name: name)
        return ArgumentForm(placeholder, choices: element.choices) { text in
            let names = text.split(separator: ",", omittingEmptySubsequences: false)
            return Set(try names.map { try element.parse(String($0), kind) })
        }
    }
}

extension ArgumentForm<String> {
    /// Text for which `isValid` returns `true`.
    package init(
        _ placeholder: String, not noun: String, expected: String,
        unless isValid: @escaping @Sendable (String) -> Bool
    ) {
        self.init(placeholder, not: noun, expected: expected) { isValid($0) ? $0 : nil }
    }

    /// Any text.
    package static func text(_ placeholder: String) -> ArgumentForm {
        ArgumentForm(placeholder) { $0 }
    }
}

extension ArgumentForm<Coordinate> {
    /// A position; see `CoordinateArgument`.
    package static var coordinate: ArgumentForm {
        ArgumentForm("LAT,LON", CoordinateArgument.coordinate)
    }
}

extension ArgumentForm where Value: FixedWidthInteger & Sendable {
    /// An integer within `range`. `unit` is the unit in the plural; `kind` names the value in the
    /// error message, by default the name of the option.
    package static func whole(
        _ placeholder: String, _ range: ClosedRange<Value>, _ unit: String? = nil,
        called kind: String? = nil
    ) -> ArgumentForm {
        let bounds = "\(range.lowerBound) to \(range.upperBound)"
        let number = "a whole number" + (unit.map { " of \($0)" } ?? "")
        return ArgumentForm(placeholder, called: kind, "\(number) from \(bounds)") { text in
            Value(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }
}

extension ArgumentForm<Int> {
    /// An integer above 0.
    package static var count: ArgumentForm { .whole("N", 1...Int.max) }
}

extension ArgumentForm<Double> {
    /// A number within `range`. `unit` is the unit in the plural; `kind` names the value in the error
    /// message, by default the name of the option.
    package static func number(
        _ placeholder: String, _ range: ClosedRange<Double>, _ unit: String? = nil,
        called kind: String? = nil
    ) -> ArgumentForm {
        within(range, placeholder, called: kind, of: unit) { Double($0) }
    }

    /// A length in metres; see `LengthArgument`.
    package static func metres(_ range: ClosedRange<Double>) -> ArgumentForm {
        within(
            range, "LENGTH", of: "metres",
            or: ", or a length with a unit, such as 50m, 100ft or 0.5nmi", LengthArgument.metres)
    }

    /// A speed in metres per second, or a number with a unit, such as `36km/h` or `10kn`.
    package static func speed(_ range: ClosedRange<Double>) -> ArgumentForm {
        let units = [
            "m/s": 1, "mps": 1, "km/h": 1 / 3.6, "kmh": 1 / 3.6, "kph": 1 / 3.6,
            "kn": 1852 / 3600.0, "kt": 1852 / 3600.0, "kts": 1852 / 3600.0, "knots": 1852 / 3600.0,
            "mph": 0.44704, "ft/s": 0.3048,
        ]
        return within(
            range, "SPEED", of: "metres per second",
            or: ", or a speed with a unit, such as 5m/s, 18km/h or 10kn"
        ) { Number.of($0.lowercased(), units: units) }
    }

    /// A duration in seconds, or numbers with units, such as `90`, `1.5h` and `1h30min`.
    package static func seconds(
        _ placeholder: String = "SECONDS", _ range: ClosedRange<Double> = 0.001...1e9
    ) -> ArgumentForm {
        let example = "\(Number.bounds(range)) seconds, such as 90, 15min or 1h30min"
        return ArgumentForm(placeholder, "a time (expected \(example))") { text in
            Number.seconds(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    private static func within(
        _ range: ClosedRange<Double>, _ placeholder: String, called kind: String? = nil,
        of unit: String?, or alternative: String = "",
        _ parse: @escaping @Sendable (String) -> Double?
    ) -> ArgumentForm {
        let units = unit.map { " of \($0)" } ?? ""
        let expected = "a number\(units) from \(Number.bounds(range))\(alternative)"
        return ArgumentForm(placeholder, called: kind, expected) { text in
            parse(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }
}

/// A length on the command line: metres, or a number with a unit, such as `30m`, `100ft` or
/// `0.5nmi`.
package enum LengthArgument {
    private static let units = [
        "cm": 0.01, "m": 1, "km": 1000, "ft": 0.3048, "yd": 0.9144, "mi": 1609.344, "nmi": 1852,
        "nm": 1852, "NM": 1852,
    ]

    /// Returns the length in metres; `nil` for other text.
    package static func metres(_ text: String) -> Double? { Number.of(text, units: units) }
}

/// Numbers on the command line.
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

    /// Parses a number of seconds, or a sum of numbers with units, such as `1h30min`.
    fileprivate static func seconds(_ text: String) -> Double? {
        let units: [String: Double] = [
            "ms": 0.001, "s": 1, "sec": 1, "min": 60, "m": 60, "h": 3600, "d": 86_400,
        ]
        var rest = text.filter { $0 != " " }[...]
        if let seconds = Double(rest) { return seconds }
        var sum = 0.0
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isNumber || $0 == "." }
            rest = rest.dropFirst(digits.count)
            let unit = rest.prefix { $0.isLetter }
            rest = rest.dropFirst(unit.count)
            guard let number = Double(digits), let factor = units[String(unit)] else { return nil }
            sum += number * factor
        }
        return sum
    }

    /// Returns the limits of a range for an error message: `0 to 100`.
    fileprivate static func bounds(_ range: ClosedRange<Double>) -> String {
        "\(short(range.lowerBound)) to \(short(range.upperBound))"
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
