// SPDX-License-Identifier: MIT

/// The error thrown if a proxy or a delegate cannot be installed.
public struct DelegationError: Error, Hashable, CustomStringConvertible {
    /// The kind of failure.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The code's name.
        public let rawValue: String

        /// Creates a custom code.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A delegate is already set and has not been replaced.
        public static let delegateAlreadySet = Code(rawValue: "a delegate is already set")
        /// The host's delegate property does not return the object that was assigned to it.
        public static let slotNotHonoured = Code(rawValue: "the host didn't keep its delegate")
        /// No proxy of the requested type is registered for the host's class or its superclasses.
        public static let noFactory = Code(rawValue: "no proxy is registered for the host")
    }

    /// The kind of failure.
    public let code: Code
    /// A description of the host, proxy or delegate involved.
    public let context: String

    /// Creates an error.
    public init(_ code: Code, _ context: String) {
        self.code = code
        self.context = context
    }

    /// The code and the context.
    public var description: String { "\(code.rawValue): \(context)" }
}
