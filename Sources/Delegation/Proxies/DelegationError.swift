// SPDX-License-Identifier: MIT

/// A failure to install a proxy or a delegate.
public struct DelegationError: Error, Hashable, CustomStringConvertible {
    /// The kind of failure.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The code's name.
        public let rawValue: String

        /// Creates a custom code.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Another delegate is set, and it stays.
        public static let delegateAlreadySet = Code(rawValue: "a delegate is already set")
        /// The host doesn't return the delegate that it was assigned.
        public static let slotNotHonoured = Code(rawValue: "the host didn't keep its delegate")
        /// No proxy is registered for the host's class or its superclasses.
        public static let noFactory = Code(rawValue: "no proxy is registered for the host")
    }

    /// The kind of failure.
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
