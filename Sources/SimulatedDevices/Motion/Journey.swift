// SPDX-License-Identifier: MIT

/// One trajectory after the other: wait, then drive, then wait.
///
/// Each begins when the one before it has ended; what follows one without an end never comes.
public struct Journey: Trajectory {
    private let parts: [(start: Double, trajectory: any Trajectory)]
    /// Until the last has ended; `nil` if one never does.
    public let duration: Double?

    /// Creates a journey of a first part and those that follow it.
    public init(_ first: any Trajectory, _ others: any Trajectory...) {
        self.init(first, then: others)
    }

    /// Creates a journey of a first part and those that follow it.
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

    /// The state on the part that is under way.
    public func state(after seconds: Double) -> TrueState {
        let index = parts.lastIndex { $0.start <= seconds } ?? 0
        let part = parts[index]
        return part.trajectory.state(after: seconds - part.start)
    }
}
