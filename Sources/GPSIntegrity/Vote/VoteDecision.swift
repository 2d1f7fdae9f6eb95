// SPDX-License-Identifier: MIT
public import GNSS

/// The result of one instant of a `ReceiverVote`. Receivers are numbered from 0.
public struct VoteDecision: Hashable, Sendable {
    /// The relation of the receivers' positions.
    public var state: Vote.State
    /// The receiver whose fix is passed on, unchanged. Without a position it is the one that reports so.
    public var receiver: Int
    /// The number of that fix among those of its receiver, from 1.
    public var number: Int
    /// The other receivers that agree with it.
    public var witnesses: [Int] = []
    /// The receivers with a position that disagrees with it.
    public var disagreeing: [Int] = []
    /// Radius in metres around the position that holds the true one with 68 % probability; `nil` if
    /// receivers disagree, or the winner reports no accuracy.
    public var radius: Double?
    /// The evidence against the position that follows from comparing receivers.
    public var reasons: [Integrity.Reason] = []

    /// The state that follows from the reasons.
    private var integrityState: Integrity.State? {
        if reasons.contains(where: { $0.test == .antennasCollapsed }) { return .alarm }
        return reasons.isEmpty ? nil : .warning
    }

    /// Returns the winner's fix with the result: only `vote` and `integrity` differ.
    public func marked(_ fix: Fix, names: [String]) -> Fix {
        func named(_ indices: [Int]) -> [String] {
            indices.compactMap { names.indices.contains($0) ? names[$0] : nil }
        }
        var fix = fix
        fix.vote = Vote(
            state: state, winner: state == .noPosition ? nil : named([receiver]).first,
            witnesses: named(witnesses), disagreeing: named(disagreeing), radius: radius)
        guard let integrityState else { return fix }
        var integrity = fix.integrity ?? Integrity()
        if integrity.state.number < integrityState.number {
            integrity.state = integrityState
            (integrity.since, integrity.start) = (reasons.first?.since, reasons.first?.start)
        }
        integrity.reasons += reasons
        fix.integrity = integrity
        return fix
    }
}
