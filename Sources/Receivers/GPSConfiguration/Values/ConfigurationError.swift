// SPDX-License-Identifier: MIT

/// The error of a failed configuration: the receiver, the reason and advice.
public struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// A short description.
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The receiver did not answer any version request, or stopped answering later.
        public static let noAnswer = Code(rawValue: "no answer")
        /// The receiver does not support the setting.
        public static let unsupported = Code(rawValue: "unsupported")
        /// The receiver refused the request.
        public static let refused = Code(rawValue: "refused")
        /// The serial line is too slow for the messages.
        public static let lineTooSlow = Code(rawValue: "line too slow")
        /// The receiver confirmed the request but did not apply it.
        public static let notApplied = Code(rawValue: "not applied")
        /// The receiver sent no valid message after a change, or no longer answers.
        public static let silenced = Code(rawValue: "silenced")
        /// The request could damage or lock the receiver, and is never sent.
        public static let forbidden = Code(rawValue: "forbidden")
        /// The journal belongs to another receiver, or another one was connected during a change.
        public static let anotherReceiver = Code(rawValue: "another receiver")
        /// The receiver can't be opened or written.
        public static let unavailable = Code(rawValue: "unavailable")
        /// A file is malformed.
        public static let malformedFile = Code(rawValue: "malformed file")
    }

    /// The kind of failure.
    public let code: Code
    /// The receiver, such as `u-blox M8 (SPG 3.01)`; `nil` if it is not known.
    public let chip: String?
    /// The reason of the failure.
    public let reason: String
    /// Advice for the user; `nil` if there is none.
    public let remedy: String?

    /// Creates an error.
    public init(_ code: Code, chip: String? = nil, _ reason: String, remedy: String? = nil) {
        (self.code, self.chip, self.reason, self.remedy) = (code, chip, reason, remedy)
    }

    /// The chip, the reason and the advice.
    public var description: String {
        (chip.map { "\($0): " } ?? "") + reason + (remedy.map { "; \($0)" } ?? "")
    }
}
