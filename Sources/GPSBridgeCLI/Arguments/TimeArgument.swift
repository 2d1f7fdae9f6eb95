// SPDX-License-Identifier: MIT
import GNSS

/// Parses an instant: `2026-03-21T12:00:00Z`, with optional fractions of a second or an offset, without
/// seconds, or a date alone, which means midnight. Without an offset, or with `UTC`, it is UTC.
enum TimeArgument {
    static func time(_ text: String) throws -> UTCTime {
        guard let time = UTCTime(iso8601: completed(withoutZoneName(text))) else {
            throw UsageError(
                "not a time: '\(text)' (expected 2026-03-21T12:00:00Z, or a date alone)"
            )
        }
        return time
    }

    /// Whether a text begins like a time.
    static func looksLikeTime(_ text: String) -> Bool { begins(text, as: "0000-00-00") }

    /// Removes the zone name from `2026-03-21 12:00 UTC`, as printed by `date -u` and the screen.
    private static func withoutZoneName(_ text: String) -> String {
        guard let zone = ["UTC", "GMT"].first(where: { text.hasSuffix($0) }) else { return text }
        let rest = text.dropLast(zone.count)
        return String(rest.hasSuffix(" ") ? rest.dropLast() : rest)
    }

    /// Adds the optional parts that are missing.
    private static func completed(_ text: String) -> String {
        if text.count == 10, looksLikeTime(text) { return text + "T00:00:00" }
        let minutes = text.prefix(16)
        guard begins(text, as: "0000-00-00T00:00") || begins(text, as: "0000-00-00 00:00") else {
            return text
        }
        let rest = text.dropFirst(minutes.count)
        return minutes + (rest.hasPrefix(":") ? "" : ":00") + rest
    }

    /// Whether `text` begins with `pattern`, in which 0 stands for any digit.
    private static func begins(_ text: String, as pattern: String) -> Bool {
        text.count >= pattern.count
            && zip(text, pattern).allSatisfy { character, place in
                place == "0" ? ("0"..."9").contains(character) : character == place
            }
    }
}
