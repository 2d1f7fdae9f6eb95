// SPDX-License-Identifier: MIT

/// A sequence of trajectories, for example: wait, drive, wait.
///
/// Each begins when the previous one has ended; trajectories after one without an end are never
/// reached.
public struct Journey: Trajectory {
    private let parts: [(start: Double, trajectory: any Trajectory)]
    /// Seconds until the last has ended; `nil` if one never ends.
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

    /// Returns the state on the current part.
    public func state(after seconds: Double) -> TrueState {
        let index = parts.lastIndex { $0.start <= seconds } ?? 0
        let part = parts[index]
        return part.trajectory.state(after: seconds - part.start)
    }
}
