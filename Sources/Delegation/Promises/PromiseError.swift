// SPDX-License-Identifier: MIT

/// Why a promise was rejected without an error of its producer's.
public struct PromiseError: Error, Hashable, CustomStringConvertible {
    /// What happened.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The code's name.
        public let rawValue: String

        /// Creates a code of one's own.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Nothing settled the promise in time.
        public static let timedOut = Code(rawValue: "timed out")
        /// The producer was released without settling the promise.
        public static let abandoned = Code(rawValue: "abandoned")
        /// The event ended before it sent what was asked for.
        public static let eventCompleted = Code(rawValue: "event completed")
    }

    /// What happened.
    public let code: Code

    /// Creates an error.
    public init(_ code: Code) { self.code = code }

    /// The code in words.
    public var description: String { code.rawValue }
}
