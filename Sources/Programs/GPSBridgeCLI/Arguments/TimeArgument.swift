// SPDX-License-Identifier: MIT
import GNSS

/// Parses a time in ISO 8601, such as `2026-03-21T12:00:00Z`. Fractions of a second and offsets are
/// allowed. Seconds may be omitted. A date alone means midnight. The time is UTC unless an offset
/// is given.
enum TimeArgument {
    static func time(_ text: String) throws -> UTCTime {
        guard let time = UTCTime(iso8601: completed(withoutZoneName(text))) else {
            throw UsageError(
                "not a time: '\(text)' (expected a time such as 2026-03-21T12:00:00Z, or a date "
                    + "alone, such as 2026-03-21)"
            )
        }
        return time
    }

    /// Returns whether a string begins with a date.
    static func looksLikeTime(_ text: String) -> Bool { begins(text, as: "0000-00-00") }

    /// Removes the zone name from a time such as `2026-03-21 12:00 UTC`, as printed by `date -u`
    /// and the screen.
    private static func withoutZoneName(_ text: String) -> String {
        guard let zone = ["UTC", "GMT"].first(where: { text.hasSuffix($0) }) else { return text }
        let rest = text.dropLast(zone.count)
        return String(rest.hasSuffix(" ") ? rest.dropLast() : rest)
    }

    /// Appends missing seconds, or midnight to a date.
    private static func completed(_ text: String) -> String {
        if text.count == 10, looksLikeTime(text) { return text + "T00:00:00" }
        let minutes = text.prefix(16)
        guard begins(text, as: "0000-00-00T00:00") || begins(text, as: "0000-00-00 00:00") else {
            return text
        }
        let rest = text.dropFirst(minutes.count)
        return minutes + (rest.hasPrefix(":") ? "" : ":00") + rest
    }

    /// Returns whether `text` begins with `pattern`. In the pattern, 0 matches any digit.
    private static func begins(_ text: String, as pattern: String) -> Bool {
        text.count >= pattern.count
            && zip(text, pattern).allSatisfy { character, expected in
                expected == "0" ? ("0"..."9").contains(character) : character == expected
            }
    }
}
