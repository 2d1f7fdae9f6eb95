// SPDX-License-Identifier: MIT

/// Keeps a program running in the background. No effect on Linux, where background programs keep
/// running.
public final class CLBackgroundActivitySession: Sendable {
    private let session = Session<Diagnostic>(Diagnostic())

    /// Creates a session.
    public init() {}

    /// The diagnostics of the session: a single one, without problems.
    public var diagnostics: Diagnostics { session.diagnostics }

    /// Ends the session, and the loops over its diagnostics.
    public func invalidate() { session.end() }

    // Documented together.
    /// The problems of a session; there are none on Linux.
    public struct Diagnostic: Sendable {
        public var authorizationDenied: Bool { false }
        public var authorizationDeniedGlobally: Bool { false }
        public var authorizationRestricted: Bool { false }
        public var authorizationRequestInProgress: Bool { false }
        public var insufficientlyInUse: Bool { false }
        public var serviceSessionRequired: Bool { false }
    }

    /// The diagnostics of a session.
    public typealias Diagnostics = CoreLocationSequence<Diagnostic>
}

/// Requests an authorization while the session exists. No effect on Linux.
public final class CLServiceSession: Sendable {
    private let session = Session<Diagnostic>(Diagnostic())

    /// The authorization that a session requires.
    public enum AuthorizationRequirement: Int, Hashable, Sendable {
        /// No authorization.
        case none
        /// Locations while the program is in use.
        case whenInUse
        /// Locations at any time.
        case always
    }

    /// Creates a session.
    public init(authorization: AuthorizationRequirement) {}

    /// Creates a session that also requests full accuracy.
    public init(authorization: AuthorizationRequirement, fullAccuracyPurposeKey: String) {}

    /// The diagnostics of the session: a single one, without problems.
    public var diagnostics: Diagnostics { session.diagnostics }

    /// Ends the session, and the loops over its diagnostics.
    public func invalidate() { session.end() }

    // Documented together.
    /// The problems of a session; there are none on Linux.
    public struct Diagnostic: Sendable {
        public var authorizationDenied: Bool { false }
        public var authorizationDeniedGlobally: Bool { false }
        public var authorizationRestricted: Bool { false }
        public var authorizationRequestInProgress: Bool { false }
        public var insufficientlyInUse: Bool { false }
        public var serviceSessionRequired: Bool { false }
        public var fullAccuracyDenied: Bool { false }
        public var alwaysAuthorizationDenied: Bool { false }
    }

    /// The diagnostics of a session.
    public typealias Diagnostics = CoreLocationSequence<Diagnostic>
}

/// The common part of both kinds of session: diagnostics that end with `invalidate`.
private final class Session<Diagnostic: Sendable>: Sendable {
    private let stream: AsyncStream<Diagnostic>
    private let continuation: AsyncStream<Diagnostic>.Continuation

    init(_ diagnostic: Diagnostic) {
        (stream, continuation) = AsyncStream.makeStream()
        continuation.yield(diagnostic)
    }

    deinit { end() }

    var diagnostics: CoreLocationSequence<Diagnostic> {
        CoreLocationSequence { [stream] in stream.makeAsyncIterator() }
    }

    func end() { continuation.finish() }
}
