// SPDX-License-Identifier: MIT
import GNSS

/// The parts of a file that a reader leaves out, counted by reason: one odd value does not cost the
/// rest of the file.
package struct LeftOut: Hashable, Sendable {
    /// What is left out, and why: `time in an unknown form`. Readers use a fixed set of reasons.
    package struct Reason: Hashable, Sendable {
        let noun: String
        let problem: String
        /// Whether a position is lost, and not only one of its values.
        let isPosition: Bool

        /// Creates a reason from a noun in the singular and a problem that fits any number:
        /// `in an unknown form`.
        package init(_ noun: String, _ problem: String, isPosition: Bool = false) {
            (self.noun, self.problem, self.isPosition) = (noun, problem, isPosition)
        }

        /// A point whose latitude or longitude is out of range or not a number.
        package static let position = Reason(
            "point", "with an impossible position", isPosition: true)
        /// A time that cannot be read.
        package static let time = Reason("time", "in an unknown form")
        /// A time that does not exist, such as `0000-00-00T00:00:00Z`.
        static let impossibleTime = Reason("time", "outside the calendar")

        package static func number(_ noun: String) -> Reason {
            Reason(noun, "in an unknown form")
        }

        /// The value of a property that is not a number.
        static func value(of property: FixProperty) -> Reason {
            Reason("value", "of the \(property.words(separatedBy: " ")) in an unknown form")
        }

        /// The noun in the plural: `numbers of satellites`.
        fileprivate var plural: String {
            guard let of = noun.firstRange(of: " of ") else { return noun + "s" }
            return "\(noun[..<of.lowerBound])s\(noun[of.lowerBound...])"
        }
    }

    private struct Entry: Hashable {
        let reason: Reason
        /// Where the first part is: `line 4`.
        let place: String
        /// The text of the first part.
        let text: String
        var count = 1

        var description: String {
            let location = count == 1 ? place : "the first in \(place)"
            let example = text.isEmpty ? "" : ": \"\(text)\""
            return Plural.text(count, reason.noun, reason.plural)
                + " \(reason.problem) (\(location)\(example))"
        }
    }

    /// The maximum number of reasons in a warning, and of characters of a text.
    private static let (maximumShown, maximumLength) = (3, 40)

    /// One element for each reason, in the order of the file.
    private var entries: [Entry] = []
    package private(set) var positions = 0

    package init() {}

    /// Counts a part in a line of the file, from 1. `text` is what the file contains there.
    package mutating func add(_ reason: Reason, line: Int, _ text: String = "") {
        add(reason, "line", line, text)
    }

    /// Counts a part at a place with a number: `byte 1024`.
    package mutating func add(
        _ reason: Reason, _ unit: StaticString, _ place: Int, _ text: String = ""
    ) {
        if reason.isPosition { positions += 1 }
        if let index = entries.firstIndex(where: { $0.reason == reason }) {
            entries[index].count += 1
        } else {
            entries.append(
                Entry(
                    reason: reason, place: "\(unit) \(place)",
                    text: String(text.prefix(Self.maximumLength))))
        }
    }

    /// All reasons with their counts and first places, for statistics.
    package var descriptions: [String] { entries.map(\.description) }

    /// A warning with the most important reasons: `has 2 times in an unknown form (the first in
    /// line 4: "…"), which are left out`; `nil` if nothing is left out.
    package var warning: String? {
        guard !entries.isEmpty else { return nil }
        // Lost positions come first, then the most frequent reasons.
        let sorted = entries.enumerated().sorted { one, other in
            (other.element.reason.isPosition ? 1 : 0, other.element.count, one.offset)
                < (one.element.reason.isPosition ? 1 : 0, one.element.count, other.offset)
        }
        var parts = sorted.prefix(Self.maximumShown).map(\.element.description)
        let rest = sorted.dropFirst(Self.maximumShown).reduce(0) { $0 + $1.element.count }
        if rest > 0 { parts.append("\(rest) more (--stats lists them)") }
        let count = entries.reduce(0) { $0 + $1.count }
        let list =
            parts.count == 1
            ? parts[0] : parts.dropLast().joined(separator: ", ") + " and \(parts[parts.count - 1])"
        return "has \(list), which \(count == 1 ? "is" : "are") left out"
    }

    /// An error if more than two thirds of the positions are left out: such a file is damaged, or has
    /// another form. `count` is the number of positions that were read.
    package func error(reading count: Int, of file: String) -> InputError? {
        guard positions > 2 * count else { return nil }
        return InputError(
            file, "\(positions) of \(positions + count) positions cannot be read: is it damaged?")
    }
}

/// The values of sports that a file has, such as heart rates, and that fixes have no place for. One
/// message names them, as it names columns of CSV that are not read.
struct UnreadValues: Hashable, Sendable {
    private var names: [String] = []

    package init() {}

    /// The maximum number of names.
    private static let maximumCount = 20

    mutating func add(_ name: String) {
        if names.count < Self.maximumCount, !names.contains(name) { names.append(name) }
    }

    /// The rest of a sentence that begins with the file's name; `nil` if there are none.
    var warning: String? {
        names.isEmpty ? nil : "has values that are not read: \(names.joined(separator: ", "))"
    }
}
