// SPDX-License-Identifier: MIT

/// Keeps a program running in the background. It has no effect on Linux, where programs run in the
/// background without it.
public final class CLBackgroundActivitySession: Sendable {
    private let session = Session<Diagnostic>(Diagnostic())

    /// Creates a session. It ends with `invalidate()` or when it is released.
    public init() {}

    /// The session's diagnostics: a sequence with one element, which reports no problems. It ends
    /// when the session ends.
    public var diagnostics: Diagnostics { session.diagnostics }

    /// Ends the session and the loops over its diagnostics.
    public func invalidate() { session.end() }

    // Documented together.
    /// The problems that prevent a session from working. On Linux, there are none.
    public struct Diagnostic: Sendable {
        public var authorizationDenied: Bool { false }
        public var authorizationDeniedGlobally: Bool { false }
        public var authorizationRestricted: Bool { false }
        public var authorizationRequestInProgress: Bool { false }
        public var insufficientlyInUse: Bool { false }
        public var serviceSessionRequired: Bool { false }
    }

    /// The sequence of a session's diagnostics.
    public typealias Diagnostics = CoreLocationSequence<Diagnostic>
}

/// Requests an authorization while the session exists. It has no effect on Linux.
public final class CLServiceSession: Sendable {
    private let session = Session<Diagnostic>(Diagnostic())

    /// The authorization that a session requires.
    public enum AuthorizationRequirement: Int, Hashable, Sendable {
        /// No authorization.
        case none
        /// Access to locations while the program is in use.
        case whenInUse
        /// Access to locations at any time.
        case always
    }

    /// Creates a session. The requirement is ignored.
    public init(authorization: AuthorizationRequirement) {}

    /// Creates a session that also requests full accuracy, which is always authorized.
    public init(authorization: AuthorizationRequirement, fullAccuracyPurposeKey: String) {}

    /// The session's diagnostics: a sequence with one element, which reports no problems. It ends
    /// when the session ends.
    public var diagnostics: Diagnostics { session.diagnostics }

    /// Ends the session and the loops over its diagnostics.
    public func invalidate() { session.end() }

    // Documented together.
    /// The problems that prevent a session from working. On Linux, there are none.
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

    /// The sequence of a session's diagnostics.
    public typealias Diagnostics = CoreLocationSequence<Diagnostic>
}

/// The part that both kinds of session share: a stream with one diagnostic, which ends when the
/// session ends.
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
