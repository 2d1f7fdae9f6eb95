// SPDX-License-Identifier: MIT

/// Keeps a program at work in the background. Without effect on Linux, where every program is.
public final class CLBackgroundActivitySession: Sendable {
    private let session = Session<Diagnostic>(Diagnostic())

    /// Creates a session.
    public init() {}

    /// What keeps the session from its work: one diagnostic, that nothing does.
    public var diagnostics: Diagnostics { session.diagnostics }

    /// Ends the session and loops over its diagnostics.
    public func invalidate() { session.end() }

    /// What keeps a session from its work.
    public struct Diagnostic: Sendable {
        /// `false`.
        public var authorizationDenied: Bool { false }
        /// `false`.
        public var authorizationDeniedGlobally: Bool { false }
        /// `false`.
        public var authorizationRestricted: Bool { false }
        /// `false`.
        public var authorizationRequestInProgress: Bool { false }
        /// `false`.
        public var insufficientlyInUse: Bool { false }
        /// `false`.
        public var serviceSessionRequired: Bool { false }
    }

    /// The diagnostics of a session.
    public typealias Diagnostics = SessionDiagnostics<Diagnostic>
}

/// Asks for an authorization for as long as it exists. Without effect on Linux.
public final class CLServiceSession: Sendable {
    private let session = Session<Diagnostic>(Diagnostic())

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

    /// What keeps the session from its work: one diagnostic, that nothing does.
    public var diagnostics: Diagnostics { session.diagnostics }

    /// Ends the session and loops over its diagnostics.
    public func invalidate() { session.end() }

    /// What keeps a session from its work.
    public struct Diagnostic: Sendable {
        /// `false`.
        public var authorizationDenied: Bool { false }
        /// `false`.
        public var authorizationDeniedGlobally: Bool { false }
        /// `false`.
        public var authorizationRestricted: Bool { false }
        /// `false`.
        public var authorizationRequestInProgress: Bool { false }
        /// `false`.
        public var insufficientlyInUse: Bool { false }
        /// `false`.
        public var serviceSessionRequired: Bool { false }
        /// `false`.
        public var fullAccuracyDenied: Bool { false }
        /// `false`.
        public var alwaysAuthorizationDenied: Bool { false }
    }

    /// The diagnostics of a session.
    public typealias Diagnostics = SessionDiagnostics<Diagnostic>
}

/// The diagnostics of a session, for one loop.
public struct SessionDiagnostics<Diagnostic: Sendable>: AsyncSequence, Sendable {
    /// A diagnostic.
    public typealias Element = Diagnostic

    let stream: AsyncStream<Diagnostic>

    /// Begins the loop.
    public func makeAsyncIterator() -> Iterator {
        Iterator(diagnostics: stream.makeAsyncIterator())
    }

    /// The loop.
    public struct Iterator: AsyncIteratorProtocol {
        var diagnostics: AsyncStream<Diagnostic>.Iterator

        /// Waits for the next diagnostic; `nil` when the session is over or the task is cancelled.
        public mutating func next() async throws -> Diagnostic? {
            await diagnostics.next(isolation: #isolation)
        }

        /// Waits for the next diagnostic; `nil` when the session is over or the task is cancelled.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(any Error) -> Diagnostic? {
            await diagnostics.next(isolation: actor)
        }
    }
}

/// What a session of either kind has: diagnostics with an end.
private final class Session<Diagnostic: Sendable>: Sendable {
    private let stream: AsyncStream<Diagnostic>
    private let continuation: AsyncStream<Diagnostic>.Continuation

    init(_ diagnostic: Diagnostic) {
        (stream, continuation) = AsyncStream.makeStream()
        continuation.yield(diagnostic)
    }

    deinit { end() }

    var diagnostics: SessionDiagnostics<Diagnostic> { SessionDiagnostics(stream: stream) }

    func end() { continuation.finish() }
}
