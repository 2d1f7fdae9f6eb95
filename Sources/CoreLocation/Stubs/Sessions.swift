// SPDX-License-Identifier: MIT

/// Keeps a program at work in the background. Without effect on Linux, where every program is.
public final class CLBackgroundActivitySession: Sendable {
    /// Creates a session.
    public init() {}

    /// Ends the session.
    public func invalidate() {}
}

/// Asks for an authorization for as long as it exists. Without effect on Linux.
public final class CLServiceSession: Sendable {
    /// What is asked for.
    public enum AuthorizationRequirement: Int, Hashable, Sendable {
        /// Nothing.
        case none
        /// Locations while the program is in use.
        case whenInUse
        /// Locations at any time.
        case always
    }

    /// Creates a session.
    public init(authorization: AuthorizationRequirement) {}

    /// Creates a session that asks for full accuracy, too.
    public init(authorization: AuthorizationRequirement, fullAccuracyPurposeKey: String) {}

    /// Ends the session.
    public func invalidate() {}
}
