// SPDX-License-Identifier: MIT

/// One result of an examination, as text for the user.
public struct Finding: Hashable, Sendable {
    /// The severity of a finding.
    public enum Level: String, Hashable, Sendable {
        /// Everything is as it should be.
        case ok
        /// Worth knowing; it does not prevent fixes.
        case note
        /// A problem that has to be fixed.
        case error
    }

    /// The severity.
    public var level: Level
    /// The condition that an error indicates.
    public var condition: Condition?
    /// The result, in one or two sentences.
    public var text: String
    /// The command or action that fixes the problem; `nil` if nothing needs fixing.
    public var remedy: String?

    /// Creates a finding without a problem.
    public static func ok(_ text: String) -> Finding {
        Finding(level: .ok, text: text)
    }

    /// Creates a finding that is worth knowing.
    public static func note(_ text: String, remedy: String? = nil) -> Finding {
        Finding(level: .note, text: text, remedy: remedy)
    }

    /// Creates a finding about a problem that has to be fixed.
    public static func error(
        _ condition: Condition, _ text: String, remedy: String? = nil
    ) -> Finding {
        Finding(level: .error, condition: condition, text: text, remedy: remedy)
    }
}
