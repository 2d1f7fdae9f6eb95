// SPDX-License-Identifier: MIT
import Delegation

/// A pending request for one location.
struct LocationRequest: Sendable {
    /// What is good enough.
    enum Criterion: Sendable {
        /// That accurate, in metres, or any if negative; at the time-out the best so far will do.
        case accuracy(Double)
        /// What the caller's predicate accepts, and nothing else. Called without any lock held.
        case predicate(@Sendable (Location) -> Bool)
    }

    /// Tells one request from another.
    let id: UInt64
    /// Settled exactly once, whatever happens first.
    let promise: Promise<Location>
    /// What is good enough.
    let criterion: Criterion
    /// The most accurate location so far that was not good enough; it counts at the time-out.
    private(set) var best: Location?

    /// Creates a pending request.
    init(id: UInt64, _ criterion: Criterion) {
        self.id = id
        self.criterion = criterion
        promise = Promise()
    }

    mutating func keep(_ location: Location) {
        guard let best, best.horizontalAccuracy <= location.horizontalAccuracy else {
            best = location
            return
        }
    }
}
