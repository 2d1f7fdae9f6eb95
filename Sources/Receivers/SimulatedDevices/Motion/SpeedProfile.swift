// SPDX-License-Identifier: MIT
import GNSS

/// The motion of a vehicle along its path over time, in phases of constant acceleration.
struct SpeedProfile: Hashable, Sendable {
    /// The position on the path and the speed at a time.
    struct PathState {
        var piece: Int
        /// The distance from the beginning of the piece in metres.
        var distance: Double
        var speed: Double
    }

    private struct Phase: Hashable {
        var start: Double
        var piece: Int
        var distance: Double
        var speed: Double
        var acceleration: Double
    }

    private var phases: [Phase] = []
    /// The total duration in seconds, including stops.
    private(set) var duration: Double

    init(_ path: [PathPiece], _ limits: Drive.Limits, firstStop: Double) {
        duration = 0
        if !path.isEmpty, firstStop > 0 {
            add(piece: 0, distance: 0, speed: 0, acceleration: 0, for: firstStop)
        } else {
            duration = max(0, firstStop)
        }
        let bounds = Self.bounds(path, limits.acceleration)
        for (index, piece) in path.enumerated() {
            add(index, piece, from: bounds[index], to: bounds[index + 1], limits.acceleration)
        }
    }

    /// Returns the speeds at the boundaries of the pieces, including start and end. Each is the
    /// maximum that both adjacent pieces, acceleration and braking allow.
    private static func bounds(_ path: [PathPiece], _ acceleration: Double) -> [Double] {
        var bounds = [Double](repeating: 0, count: path.count + 1)
        for index in path.indices.dropLast() where path[index].stop == nil {
            bounds[index + 1] = min(path[index].speed, path[index + 1].speed)
        }
        func reachable(from speed: Double, over piece: PathPiece) -> Double {
            (speed * speed + 2 * acceleration * piece.length).squareRoot()
        }
        for (index, piece) in path.enumerated() {
            bounds[index + 1] = min(bounds[index + 1], reachable(from: bounds[index], over: piece))
        }
        for (index, piece) in path.enumerated().reversed() {
            bounds[index] = min(bounds[index], reachable(from: bounds[index + 1], over: piece))
        }
        return bounds
    }

    /// Adds the phases of a piece: acceleration, constant speed, braking and a stop, where
    /// necessary.
    private mutating func add(
        _ index: Int, _ piece: PathPiece, from first: Double, to last: Double,
        _ acceleration: Double
    ) {
        let squares = first * first + last * last
        let top = min(piece.speed, (acceleration * piece.length + squares / 2).squareRoot())
        let peak = max(top, first, last)
        let gathering = (peak * peak - first * first) / (2 * acceleration)
        let braking = (peak * peak - last * last) / (2 * acceleration)
        let steady = max(0, piece.length - gathering - braking)
        add(
            piece: index, distance: 0, speed: first, acceleration: acceleration,
            for: (peak - first) / acceleration)
        add(
            piece: index, distance: gathering, speed: peak, acceleration: 0, for: steady / peak)
        add(
            piece: index, distance: gathering + steady, speed: peak, acceleration: -acceleration,
            for: (peak - last) / acceleration)
        if let stop = piece.stop {
            add(piece: index, distance: piece.length, speed: 0, acceleration: 0, for: stop)
        }
    }

    private mutating func add(
        piece: Int, distance: Double, speed: Double, acceleration: Double, for time: Double
    ) {
        guard time > 0 else { return }
        phases.append(
            Phase(
                start: duration, piece: piece, distance: distance, speed: speed,
                acceleration: acceleration))
        duration += time
    }

    /// Returns the position on the path and the speed at a time in seconds; `nil` after the end.
    func state(after seconds: Double) -> PathState? {
        guard !phases.isEmpty, seconds < duration else { return nil }
        let seconds = max(0, seconds)
        let phase = phases[max(0, phases.sortedPrefixCount { $0.start <= seconds } - 1)]
        let time = seconds - phase.start
        return PathState(
            piece: phase.piece,
            distance: phase.distance + (phase.speed + phase.acceleration * time / 2) * time,
            speed: max(0, phase.speed + phase.acceleration * time))
    }
}
