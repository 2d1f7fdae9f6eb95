// SPDX-License-Identifier: MIT
public import GNSS

/// The result of a `ReceiverVote` for one time. Receivers are numbered from 0.
public struct VoteDecision: Hashable, Sendable {
    /// The relation of the receivers' positions.
    public var state: Vote.State
    /// The index of the receiver whose fix is selected, unchanged. If no receiver has a position,
    /// the index of the receiver that was the last to send a fix without a position.
    public var receiver: Int
    /// The number of the selected fix among the fixes of its receiver, from 1.
    public var number: Int
    /// The indices of the other receivers that agree with the selected one.
    public var witnesses: [Int] = []
    /// The indices of the receivers whose positions disagree with the selected one.
    public var disagreeing: [Int] = []
    /// Why each receiver in `disagreeing` does.
    public var causes: [String] = []
    /// The radius of the circle around the position that contains the true position with 68 %
    /// probability, in metres; `nil` if receivers disagree, or if the winner reports no accuracy.
    public var radius: Double?
    /// The evidence against the position, found by comparing receivers.
    public var reasons: [Integrity.Reason] = []

    /// The integrity state that `reasons` cause; `nil` without reasons.
    private var integrityState: Integrity.State? {
        if reasons.contains(where: { $0.test == .antennasCollapsed }) { return .alarm }
        return reasons.isEmpty ? nil : .warning
    }

    /// Returns the result with names in place of indices.
    package func vote(names: [String]) -> Vote {
        func named(_ indices: [Int]) -> [String] {
            indices.compactMap { names.indices.contains($0) ? names[$0] : nil }
        }
        var vote = Vote(
            state: state, winner: state == .noPosition ? nil : named([receiver]).first,
            witnesses: named(witnesses), disagreeing: named(disagreeing), radius: radius)
        vote.causes = causes
        return vote
    }

    /// Returns the winner's fix with the result in `vote`. If there are reasons, they are added to
    /// `integrity`, and its state becomes at least `warning`.
    public func marked(_ fix: Fix, names: [String]) -> Fix {
        var fix = fix
        fix.vote = vote(names: names)
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
