// SPDX-License-Identifier: MIT
import GNSS

/// Leaves out positions at 0° N 0° E that are far from the others. Programs write them for an
/// unknown position.
package struct ZeroPositions {
    /// The distance from 0° N 0° E in metres within which a receiver may have been there.
    private static let reach = 10_000.0
    /// The maximum number of events that wait for the first other position.
    private static let limit = 1000
    private static let zero = Coordinate(latitude: 0, longitude: 0)

    /// Whether the last other position is near 0° N 0° E; `nil` before the first one.
    private var isNear: Bool?
    /// The events since the first position, while all positions are at 0° N 0° E.
    private var waiting: [InputEvent] = []
    private var count = 0

    package init() {}

    /// A warning about the positions that are left out; see `InputReader.warning`.
    package var warning: String? {
        guard count > 0 else { return nil }
        return "has \(Plural.text(count, "position")) at 0° N 0° E, far from the others, left out"
    }

    /// Passes on an event, unless it is such a position.
    package mutating func pass(_ event: InputEvent, _ receive: (InputEvent) -> Void) {
        guard case .fix(let fix, _) = event, let coordinate = fix.coordinate else {
            if waiting.isEmpty { receive(event) } else { waiting.append(event) }
            return
        }
        guard coordinate.latitude == 0, coordinate.longitude == 0 else {
            let isNear = coordinate.distance(to: Self.zero) < Self.reach
            end(isNear, receive)
            self.isNear = isNear
            return receive(event)
        }
        switch isNear {
        case true: receive(event)
        case false: count += 1
        case nil:
            waiting.append(event)
            if waiting.count >= Self.limit {
                end(true, receive)
                isNear = true
            }
        }
    }

    /// Passes on the waiting events at the end of the input.
    package mutating func finish(_ receive: (InputEvent) -> Void) { end(true, receive) }

    private mutating func end(_ isKept: Bool, _ receive: (InputEvent) -> Void) {
        for event in waiting {
            if !isKept, case .fix(let fix, _) = event, fix.coordinate != nil {
                count += 1
            } else {
                receive(event)
            }
        }
        waiting = []
    }
}
