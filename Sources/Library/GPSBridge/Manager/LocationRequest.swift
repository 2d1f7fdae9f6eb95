// SPDX-License-Identifier: MIT
import Delegation

/// A pending call of `requestLocation`.
struct LocationRequest: Sendable {
    /// The condition that the requested location must meet.
    enum Criterion: Sendable {
        /// The required accuracy in metres; any accuracy if it is not positive. The most accurate
        /// location is the result at the timeout, at the end of the source, and when
        /// `accuracyTimeout` has passed since the first location.
        case accuracy(Double, accuracyTimeout: Duration? = nil)
        /// A predicate of the caller. It is called without holding a lock.
        case predicate(@Sendable (Location) -> Bool)
    }

    /// A number that identifies the request.
    let id: UInt64
    /// The promise of the result, which is settled exactly once.
    let promise: Promise<Location>
    /// The condition that the location must meet.
    let criterion: Criterion
    /// The most accurate location so far that did not meet the condition.
    private var best: Location?

    init(id: UInt64, _ criterion: Criterion) {
        self.id = id
        self.criterion = criterion
        promise = Promise()
    }

    /// Stores a location that is not accurate enough, if it is the most accurate one so far.
    /// Returns whether it is the first one.
    mutating func keep(_ location: Location) -> Bool {
        let isFirst = best == nil
        if best.map({ location.horizontalAccuracy < $0.horizontalAccuracy }) ?? true {
            best = location
        }
        return isFirst
    }

    /// Returns the effect that ends the request: with the most accurate location so far or, if
    /// there is none, with an error.
    func end(orFailWith error: LocationError) -> LocationManagerState.Effect {
        best.map { .fulfilled(self, $0) } ?? .rejected(self, error)
    }
}
