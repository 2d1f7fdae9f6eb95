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
