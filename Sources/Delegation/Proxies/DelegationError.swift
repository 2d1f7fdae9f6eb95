// SPDX-License-Identifier: MIT

/// What can go wrong between a host, its proxy and its delegate.
public struct DelegationError: Error, Hashable, CustomStringConvertible {
    /// What happened.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The code's name.
        public let rawValue: String

        /// Creates a code of one's own.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Another delegate is in place; it stays there.
        public static let delegateAlreadySet = Code(rawValue: "a delegate is already set")
        /// The host's slot doesn't return what was put there.
        public static let slotNotHonoured = Code(rawValue: "the host didn't keep its delegate")
        /// No proxy is registered for the host's class or a superclass of it.
        public static let noFactory = Code(rawValue: "no proxy is registered for the host")
    }

    /// What happened.
    public let code: Code
    /// The host, proxy or delegate involved.
    public let context: String

    /// Creates an error.
    public init(_ code: Code, _ context: String) {
        self.code = code
        self.context = context
    }

    /// The code and the context.
    public var description: String { "\(code.rawValue): \(context)" }
}
