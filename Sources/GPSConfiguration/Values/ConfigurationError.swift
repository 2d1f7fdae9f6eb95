// SPDX-License-Identifier: MIT

/// Why a receiver was not configured: the chip, the reason, and what to do.
public struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// A short text.
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The receiver answers no request that is known.
        public static let noAnswer = Code(rawValue: "no answer")
        /// The receiver cannot do it.
        public static let unsupported = Code(rawValue: "unsupported")
        /// The receiver refused it.
        public static let refused = Code(rawValue: "refused")
        /// The line cannot carry it.
        public static let lineTooSlow = Code(rawValue: "line too slow")
        /// The receiver confirmed it, but did not do it.
        public static let notApplied = Code(rawValue: "not applied")
        /// No valid message came afterwards.
        public static let silenced = Code(rawValue: "silenced")
        /// It could damage the receiver or lock it, and is never sent.
        public static let forbidden = Code(rawValue: "forbidden")
        /// The journal is of another receiver.
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
    /// Advice to the user; `nil` if there is none.
    public let remedy: String?

    /// Creates an error.
    public init(_ code: Code, chip: String? = nil, _ reason: String, remedy: String? = nil) {
        (self.code, self.chip, self.reason, self.remedy) = (code, chip, reason, remedy)
    }

    /// The chip, the reason, and what to do.
    public var description: String {
        (chip.map { "\($0): " } ?? "") + reason + (remedy.map { "; \($0)" } ?? "")
    }
}
