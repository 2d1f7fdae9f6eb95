// SPDX-License-Identifier: MIT
import Delegation

/// A pending request for one location.
struct LocationRequest: Sendable {
    /// The condition that a location has to meet.
    enum Criterion: Sendable {
        /// That accurate, in metres, or any if negative; at the time-out the best so far will do.
        case accuracy(Double)
        /// The caller's predicate accepts it. Called without a lock held.
        case predicate(@Sendable (Location) -> Bool)
    }

    /// Tells one request from another.
    let id: UInt64
    /// Settled exactly once, whatever happens first.
    let promise: Promise<Location>
    /// The condition that a location has to meet.
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
