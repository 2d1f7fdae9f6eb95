// SPDX-License-Identifier: MIT

/// One thing that a doctor has found, in plain words.
public struct Finding: Hashable, Sendable {
    /// How it is.
    public enum Level: String, Hashable, Sendable {
        /// As it should be.
        case ok
        /// Worth knowing; fixes could arrive all the same.
        case note
        /// What has to be mended.
        case error
    }

    /// How it is.
    public var level: Level
    /// What is the matter where something is wrong.
    public var condition: Condition?
    /// One or two sentences.
    public var text: String
    /// The command that mends it, or what to do; `nil` where there is nothing to mend.
    public var remedy: String?

    /// What is as it should be.
    public static func ok(_ text: String) -> Finding {
        Finding(level: .ok, text: text)
    }

    /// What is worth knowing.
    public static func note(_ text: String, remedy: String? = nil) -> Finding {
        Finding(level: .note, text: text, remedy: remedy)
    }

    /// What has to be mended.
    public static func error(
        _ condition: Condition, _ text: String, remedy: String? = nil
    ) -> Finding {
        Finding(level: .error, condition: condition, text: text, remedy: remedy)
    }
}
