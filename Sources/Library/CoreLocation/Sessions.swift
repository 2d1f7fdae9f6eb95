// SPDX-License-Identifier: MIT
import Delegation

/// Keeps a program running in the background. It has no effect on Linux, where programs run in the
/// background without it.
public final class CLBackgroundActivitySession: Sendable {
    private let session = Session { Diagnostic() }

    /// Creates a session. It ends with `invalidate()` or when it is released.
    public init() {}

    /// The session's diagnostics: a sequence in which each loop receives one element when it
    /// starts. It ends when the session ends.
    public var diagnostics: Diagnostics { session.diagnostics }

    /// Ends the session and the loops over its diagnostics.
    public func invalidate() { session.end() }

    // Documented together.
    /// The problems that prevent a session from working. On Linux, the only one is
    /// `authorizationDenied`: the program may not open the receiver.
    public struct Diagnostic: Sendable {
        public let authorizationDenied = ManagerEngine.sharedAuthorizationStatus == .denied
        public var authorizationDeniedGlobally: Bool { false }
        public var authorizationRestricted: Bool { false }
        public var authorizationRequestInProgress: Bool { false }
        public var insufficientlyInUse: Bool { false }
        public var serviceSessionRequired: Bool { false }
    }

    /// The sequence of a session's diagnostics.
    public typealias Diagnostics = CoreLocationSequence<Diagnostic>
}

/// Requests an authorization, as `CLLocationManager.requestWhenInUseAuthorization()` and
/// `requestAlwaysAuthorization()` do. The authorization remains in effect after the session.
public final class CLServiceSession: Sendable {
    private let session: Session<Diagnostic>

    /// The authorization that a session requires.
    public enum AuthorizationRequirement: Hashable, Sendable {
        case none
        /// Access to locations while the program is in use.
        case whenInUse
        /// Access to locations at any time.
        case always
    }

    /// Creates a session, and requests the authorization.
    public init(authorization: AuthorizationRequirement) {
        session = Session { Diagnostic(requirement: authorization) }
        switch authorization {
        case .none: break
        case .whenInUse: CLLocationManager().requestWhenInUseAuthorization()
        case .always: CLLocationManager().requestAlwaysAuthorization()
        }
    }

    /// Creates a session that also requests full accuracy, which is always authorized.
    public convenience init(
        authorization: AuthorizationRequirement, fullAccuracyPurposeKey: String
    ) {
        self.init(authorization: authorization)
    }

    /// The session's diagnostics: a sequence in which each loop receives one element when it
    /// starts. It ends when the session ends.
    public var diagnostics: Diagnostics { session.diagnostics }

    /// Ends the session and the loops over its diagnostics.
    public func invalidate() { session.end() }

    // Documented together.
    /// The problems that prevent a session from working. On Linux, the only one is
    /// `authorizationDenied`: the program may not open the receiver. If the session requires
    /// `always`, `alwaysAuthorizationDenied` has the same value.
    public struct Diagnostic: Sendable {
        public let authorizationDenied: Bool
        public let alwaysAuthorizationDenied: Bool
        public var authorizationDeniedGlobally: Bool { false }
        public var authorizationRestricted: Bool { false }
        public var authorizationRequestInProgress: Bool { false }
        public var insufficientlyInUse: Bool { false }
        public var serviceSessionRequired: Bool { false }
        public var fullAccuracyDenied: Bool { false }

        fileprivate init(requirement: AuthorizationRequirement) {
            authorizationDenied =
                requirement != .none && ManagerEngine.sharedAuthorizationStatus == .denied
            alwaysAuthorizationDenied = authorizationDenied && requirement == .always
        }
    }

    /// The sequence of a session's diagnostics.
    public typealias Diagnostics = CoreLocationSequence<Diagnostic>
}

/// The part that both kinds of session share: one diagnostic for each loop, which ends when the
/// session ends.
private final class Session<Diagnostic: Sendable>: Sendable {
    private let diagnostic: @Sendable () -> Diagnostic
    /// Completes when the session ends.
    private let ending = Event<Never>()

    /// Creates a session that calls `diagnostic` for each loop.
    init(_ diagnostic: @escaping @Sendable () -> Diagnostic) {
        self.diagnostic = diagnostic
    }

    deinit { end() }

    var diagnostics: CoreLocationSequence<Diagnostic> {
        CoreLocationSequence { [diagnostic, ending] in
            let (stream, continuation) = AsyncStream.makeStream(of: Diagnostic.self)
            continuation.yield(diagnostic())
            let end = ending.observe { _ in
            } onCompletion: {
                continuation.finish()
            }
            continuation.onTermination = { _ in end.dispose() }
            return stream.makeAsyncIterator()
        }
    }

    func end() { ending.complete() }
}
