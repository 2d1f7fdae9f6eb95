// SPDX-License-Identifier: MIT
import Delegation

/// A pending request for one location.
struct LocationRequest: Sendable {
    /// The condition that a location has to meet.
    enum Criterion: Sendable {
        /// The required accuracy in metres; negative for any. At the timeout the best location is
        /// used.
        case accuracy(Double)
        /// The caller's predicate, called without holding a lock.
        case predicate(@Sendable (Location) -> Bool)
    }

    /// A number that identifies the request.
    let id: UInt64
    /// The result, set exactly once.
    let promise: Promise<Location>
    /// The condition that a location has to meet.
    let criterion: Criterion
    /// The most accurate location that did not meet the condition; used at the timeout.
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
