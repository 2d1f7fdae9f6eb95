// SPDX-License-Identifier: MIT

/// A line of a serial port on which pulses can arrive.
package enum PulseLineName: String, Hashable, Sendable, CaseIterable {
    case cts
    case dcd
    case dsr
    case ri

    /// The line's name: `DCD`.
    package var name: String { rawValue.uppercased() }

    /// The bit of the line in the result of `TIOCMGET`.
    package var bit: UInt32 {
        switch self {
        case .cts: 0x020
        case .dcd: 0x040
        case .dsr: 0x100
        case .ri: 0x080
        }
    }
}

/// Finds the line that carries pulses, and the edge that marks the second: the one after the longer
/// part of the cycle.
///
/// Adapters differ in both. A receiver's pulse usually clears the flag, because the inputs of
/// serial ports are active low.
package struct PulseSurvey: Sendable {
    /// The line and the edge of the pulses.
    package struct Choice: Hashable, Sendable {
        package let line: PulseLineName
        package let edge: Pulse.Edge

        /// Creates a choice.
        package init(line: PulseLineName, edge: Pulse.Edge) {
            (self.line, self.edge) = (line, edge)
        }

        /// Returns whether the line has its level during a pulse. `levels` is the result of
        /// `TIOCMGET`.
        package func isActive(_ levels: UInt32) -> Bool {
            (levels & line.bit != 0) == (edge == .assert)
        }
    }

    /// The last changes of a line.
    private struct Changes: Sendable {
        let line: PulseLineName
        var isHigh: Bool?
        var times: [Int64] = []
        /// The number of cycles in a row that ended with the same edge after their longer part.
        var agreeing: (edge: Pulse.Edge, count: Int)?
        var isSymmetric = false
    }

    private static let second: Int64 = 1_000_000_000
    private static let cyclesNeeded = 2

    private let edge: Pulse.Edge?
    private var changes: [Changes]

    /// Creates a survey of one line, or of all. `edge` is `nil` if it is to be found.
    package init(line: PulseLineName? = nil, edge: Pulse.Edge? = nil) {
        self.edge = edge
        changes = (line.map { [$0] } ?? PulseLineName.allCases).map { Changes(line: $0) }
    }

    /// The lines that have changed more than once. One change may be the answer to the opening of the
    /// line.
    package var movingLines: [PulseLineName] {
        changes.filter { $0.times.count > 1 }.map(\.line)
    }

    /// The line whose pulses last half a second, so that the edge is not known; `nil` if there is
    /// none.
    package var symmetricLine: PulseLineName? { changes.first(where: \.isSymmetric)?.line }

    /// Processes the levels of all lines at a time of the monotonic clock, in nanoseconds.
    /// `tolerance` is the largest error of the time of a change. Returns the line and the edge once
    /// two cycles agree.
    package mutating func receive(
        _ levels: UInt32, at time: Int64, tolerance: Int64
    ) -> Choice? {
        for index in changes.indices {
            let isHigh = levels & changes[index].line.bit != 0
            let former = changes[index].isHigh
            changes[index].isHigh = isHigh
            guard let former, former != isHigh else { continue }
            let edge: Pulse.Edge = isHigh ? .assert : .clear
            if let choice = change(of: index, by: edge, at: time, tolerance) { return choice }
        }
        return nil
    }

    private mutating func change(
        of index: Int, by edge: Pulse.Edge, at time: Int64, _ tolerance: Int64
    ) -> Choice? {
        changes[index].times = changes[index].times.suffix(2) + [time]
        let times = changes[index].times
        guard times.count == 3, let first = times.first else { return nil }
        let (before, other) = (time &- times[1], times[1] &- first)
        guard abs(before &+ other &- Self.second) <= 2 * tolerance else {
            changes[index].agreeing = nil
            return nil
        }
        changes[index].isSymmetric = abs(before &- other) <= 4 * tolerance
        let isLeading = self.edge.map { $0 == edge } ?? (before > other)
        // With the edge unknown, both edges of a symmetric pulse are possible.
        guard isLeading, self.edge != nil || !changes[index].isSymmetric else { return nil }
        let former = changes[index].agreeing
        let count = former?.edge == edge ? (former?.count ?? 0) + 1 : 1
        changes[index].agreeing = (edge, count)
        guard count >= Self.cyclesNeeded else { return nil }
        return Choice(line: changes[index].line, edge: edge)
    }
}
