// SPDX-License-Identifier: MIT
import Delegation

/// Somebody who wants one location.
struct LocationRequest: Sendable {
    /// What is good enough.
    enum Criterion: Sendable {
        /// That accurate, in metres, or any if negative; at the time-out the best so far will do.
        case accuracy(Double)
        /// What the caller says; nothing else will do. Asked without any lock held.
        case predicate(@Sendable (Location) -> Bool)
    }

    /// Tells one request from another.
    let id: UInt64
    /// Settled exactly once, whatever happens first.
    let promise: Promise<Location>
    /// What is good enough.
    let criterion: Criterion
    /// Whether the delegate and the streams are told, and stopping updates ends it.
    let isForDelegate: Bool
    /// The most accurate location so far that was not good enough; it counts at the time-out.
    private(set) var best: Location?

    /// Makes a request that is pending.
    init(id: UInt64, _ criterion: Criterion, isForDelegate: Bool) {
        self.id = id
        self.criterion = criterion
        self.isForDelegate = isForDelegate
        promise = Promise()
    }

    mutating func keep(_ location: Location) {
        guard let best, best.horizontalAccuracy <= location.horizontalAccuracy else {
            best = location
            return
        }
    }
}
