// SPDX-License-Identifier: MIT
import Delegation

/// Somebody who wants one location.
struct LocationRequest: Sendable {
    /// Who decides what is good enough, and who is told.
    enum Asker: Sendable {
        /// The manager's `desiredAccuracy`; at the time-out the best so far will do.
        case theManager
        /// The caller; nothing else will do.
        case aPredicate
        /// As the manager, but the delegate and the streams are told, and stopping updates ends it.
        case theDelegate
    }

    /// Tells one request from another.
    let id: UInt64
    /// Settled exactly once, whatever happens first.
    let promise: Promise<Location>
    /// Who asks.
    let asker: Asker
    /// What is good enough.
    let accepts: @Sendable (Location) -> Bool
    /// The most accurate location so far that was not good enough; it counts at the time-out.
    var best: Location?

    mutating func keep(_ location: Location) {
        guard asker != .aPredicate else { return }
        guard let best, best.horizontalAccuracy <= location.horizontalAccuracy else {
            best = location
            return
        }
    }
}
