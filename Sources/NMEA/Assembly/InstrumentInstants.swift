// SPDX-License-Identifier: MIT
import GNSS

/// The instants of a compass or an autopilot that has no satellite receiver on its line.
///
/// None of its sentences has a time. An instant ends where a value comes again that it has; and once two in
/// a row had the same values, with the last of these.
struct InstrumentInstants: Equatable, Sendable {
    /// Whether a sentence is being added.
    private(set) var isAdding = false
    /// The instant under way, while a sentence writes on the epoch in its place.
    private var underWay = ReportedAttitude()
    /// The values of the last instant, and whether those of the one before were the same.
    private var members: UInt8 = 0
    private var isLearned = false

    /// Gives the epoch an empty attitude for the next sentence.
    mutating func begin(_ epoch: inout Epoch) {
        isAdding = true
        epoch.exchangeAttitude(&underWay)
    }

    /// Adds what the sentence has reported to the instant under way, which the epoch keeps.
    mutating func settle(_ epoch: inout Epoch, into ready: inout CompleteFixes) {
        isAdding = false
        var reported = ReportedAttitude()
        epoch.exchangeAttitude(&reported)
        if underWay.members & reported.members != 0 { publish(into: &ready) }
        underWay.add(reported)
        if isLearned, underWay.members == members { publish(into: &ready) }
        epoch.exchangeAttitude(&underWay)
    }

    /// Ends the instant that the epoch keeps: the line is silent.
    mutating func end(_ epoch: inout Epoch, into ready: inout CompleteFixes) {
        epoch.exchangeAttitude(&underWay)
        publish(into: &ready)
    }

    private mutating func publish(into ready: inout CompleteFixes) {
        isLearned = underWay.members == members
        members = underWay.members
        ready.append(underWay.attitude)
        underWay = ReportedAttitude()
    }
}
