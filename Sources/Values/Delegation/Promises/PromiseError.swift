// SPDX-License-Identifier: MIT

/// The error of a promise that the Delegation module itself rejected.
public struct PromiseError: Error, Hashable, CustomStringConvertible {
    /// The reason for a rejection.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The code's name.
        public let rawValue: String

        /// Creates a custom code.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The promise was not settled within the limit of `Promise.timeout(after:clock:)`.
        public static let timedOut = Code(rawValue: "timed out")
        /// The resolver or the promise was released before the promise was settled.
        public static let abandoned = Code(rawValue: "abandoned")
        /// The event source completed before it sent the requested value.
        public static let eventCompleted = Code(rawValue: "event completed")
    }

    /// The reason for the rejection.
    public let code: Code

    /// Creates an error.
    public init(_ code: Code) { self.code = code }

    /// The code's name.
    public var description: String { code.rawValue }
}
