// SPDX-License-Identifier: MIT
import GNSS

/// One result of an examination, as text for the user.
package struct Finding: Hashable, Sendable {
    /// The severity of a finding.
    package enum Level: String, Hashable, Sendable {
        /// The examined part works.
        case ok
        /// The finding is worth knowing, but does not prevent fixes.
        case note
        /// There is a problem that must be fixed.
        case error
    }

    /// The severity of the finding.
    package var level: Level
    /// The condition that an error indicates; `nil` for other levels.
    package var condition: Condition?
    /// The result, in one or two sentences.
    package var text: String
    /// The command or action that fixes the problem; `nil` if none is known or needed.
    package var remedy: String?

    /// Creates a finding that reports no problem.
    package static func ok(_ text: String) -> Finding {
        Finding(level: .ok, text: text)
    }

    /// Creates a finding that is worth knowing, but does not prevent fixes.
    package static func note(_ text: String, remedy: String? = nil) -> Finding {
        Finding(level: .note, text: text, remedy: remedy)
    }

    /// Creates a finding about a problem that must be fixed.
    package static func error(
        _ condition: Condition, _ text: String, remedy: String? = nil
    ) -> Finding {
        Finding(level: .error, condition: condition, text: text, remedy: remedy)
    }
}

/// Formats numbers for the user.
enum FindingText {
    /// Returns seconds as text, such as `12 s`.
    static func seconds(_ seconds: Double) -> String {
        "\(number(seconds, seconds < 10 ? 1 : 0)) s"
    }

    /// Returns a number with at most `decimals` decimals. Numbers of 1e9 or more, infinity and NaN
    /// are formatted as by Swift.
    static func number(_ value: Double, _ decimals: Int) -> String {
        guard value.magnitude < 1e9 else { return "\(value)" }
        return String(value, atMostDecimals: decimals)
    }
}
