// SPDX-License-Identifier: MIT

/// A sequence of trajectories, for example: wait, drive, wait.
///
/// Each trajectory begins when the previous one has ended. If a trajectory has no end, the
/// trajectories after it are ignored.
public struct Journey: Trajectory {
    private let parts: [(start: Double, trajectory: any Trajectory)]
    /// The total duration in seconds; `nil` if a trajectory has no end.
    public let duration: Double?

    /// Creates a journey from its parts.
    public init(_ first: any Trajectory, _ others: any Trajectory...) {
        self.init(first, then: others)
    }

    /// Creates a journey from its parts.
    public init(_ first: any Trajectory, then others: [any Trajectory]) {
        var parts: [(start: Double, trajectory: any Trajectory)] = [(0, first)]
        var end = first.duration
        for part in others {
            guard let start = end else { break }
            parts.append((start, part))
            end = part.duration.map { start + $0 }
        }
        self.parts = parts
        duration = end
    }

    /// Returns the state of the trajectory that is active `seconds` after the start.
    public func state(after seconds: Double) -> TrueState {
        let index = parts.lastIndex { $0.start <= seconds } ?? 0
        let part = parts[index]
        return part.trajectory.state(after: seconds - part.start)
    }
}
