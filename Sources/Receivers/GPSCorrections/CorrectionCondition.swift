// SPDX-License-Identifier: MIT
import GNSS

/// The condition of a stream of corrections.
package enum CorrectionCondition: Hashable, Sendable {
    /// The first attempt to connect has not ended.
    case connecting
    /// The stream was lost or could not be opened; another attempt follows.
    case waiting(reason: String)
    /// The caster has accepted the request, but sends no messages.
    case silent
    /// The same, and the receiver has no position yet that the caster may wait for.
    case waitingForPosition
    /// Messages are received.
    case flowing
    /// No message has been received for ten seconds.
    case stale
    /// The caster has refused the request. There is no other attempt.
    case refused(CorrectionRefusal)

    /// The message for the operator.
    package var message: String {
        switch self {
        case .connecting: "connecting"
        case .waiting(let reason): "\(reason)"
        case .silent: "connected, but the caster sends no corrections"
        case .waitingForPosition:
            "connected, but the caster sends no corrections: it may wait for the receiver's "
                + "position, which has no fix yet"
        case .flowing: "receiving corrections"
        case .stale: "no corrections for 10 s"
        case .refused(let refusal): refusal.message
        }
    }

    /// The condition without its reason.
    var state: CorrectionState {
        switch self {
        case .connecting: .connecting
        case .waiting: .waiting
        case .silent: .silent
        case .waitingForPosition: .waitingForPosition
        case .flowing: .flowing
        case .stale: .stale
        case .refused: .refused
        }
    }

    /// Whether an attempt has failed.
    var isFailure: Bool { if case .waiting = self { true } else { false } }

    /// Whether the message is about a problem.
    package var isProblem: Bool {
        switch self {
        case .connecting, .flowing: false
        case .waiting, .silent, .waitingForPosition, .stale, .refused: true
        }
    }
}

/// The reason why another attempt to get corrections would have the same result.
package enum CorrectionRefusal: Hashable, Sendable {
    /// The user name or the password is missing or wrong.
    case unauthorized
    /// The caster has no such stream. `suggestion` is the question whether a similar one was meant.
    case unknownMount(suggestion: String?)
    /// The server does not speak NTRIP.
    case notACaster
    /// Another reply, such as `status 403`.
    case other(String)

    package var message: String {
        switch self {
        case .unauthorized: "the caster refuses the user name or the password"
        case .unknownMount(let suggestion):
            "the caster has no such mount point"
                + (suggestion ?? "; gpsbridge corrections --list shows them")
        case .notACaster: "the server is not an NTRIP caster"
        case .other(let reply): "the caster refuses the request: \(reply)"
        }
    }
}
