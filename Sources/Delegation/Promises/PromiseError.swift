// SPDX-License-Identifier: MIT

/// The reason why the library rejected a promise.
public struct PromiseError: Error, Hashable, CustomStringConvertible {
    /// The kind of rejection.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The code's name.
        public let rawValue: String

        /// Creates a custom code.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The promise was not settled in time.
        public static let timedOut = Code(rawValue: "timed out")
        /// The producer was released without settling the promise.
        public static let abandoned = Code(rawValue: "abandoned")
        /// The event completed before it sent the requested value.
        public static let eventCompleted = Code(rawValue: "event completed")
    }

    /// The kind of rejection.
    public let code: Code

    /// Creates an error.
    public init(_ code: Code) { self.code = code }

    /// The code's name.
    public var description: String { code.rawValue }
}
