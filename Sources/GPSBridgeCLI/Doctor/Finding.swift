// SPDX-License-Identifier: MIT

/// One thing that a doctor has found, in plain words.
public struct Finding: Hashable, Sendable {
    /// How it is.
    public enum Level: String, Hashable, Sendable {
        /// As it should be.
        case ok
        /// Worth knowing; fixes could arrive all the same.
        case note
        /// A problem that has to be fixed.
        case error
    }

    /// How it is.
    public var level: Level
    /// The condition that an error shows.
    public var condition: Condition?
    /// One or two sentences.
    public var text: String
    /// The command or action that fixes the problem; `nil` if nothing needs fixing.
    public var remedy: String?

    /// A finding without a problem.
    public static func ok(_ text: String) -> Finding {
        Finding(level: .ok, text: text)
    }

    /// A finding worth knowing.
    public static func note(_ text: String, remedy: String? = nil) -> Finding {
        Finding(level: .note, text: text, remedy: remedy)
    }

    /// A problem that has to be fixed.
    public static func error(
        _ condition: Condition, _ text: String, remedy: String? = nil
    ) -> Finding {
        Finding(level: .error, condition: condition, text: text, remedy: remedy)
    }
}
