// SPDX-License-Identifier: MIT
import GNSS

/// The instants of a compass or an autopilot without a satellite receiver on its line.
///
/// Its sentences have no time. An instant ends when one of its values is reported again. Once two
/// instants in a row had the same set of values, it ends with the last of these.
struct InstrumentInstants: Equatable, Sendable {
    /// Whether a sentence is being added.
    private(set) var isAdding = false
    /// The current instant, while a sentence writes to the epoch.
    private var current = ReportedAttitude()
    /// The set of values of the last instant, and whether the instant before had the same set.
    private var members: UInt8 = 0
    private var isLearned = false

    /// Gives the epoch an empty attitude for the next sentence.
    mutating func begin(_ epoch: inout Epoch) {
        isAdding = true
        epoch.exchangeAttitude(&current)
    }

    /// Adds the values of the sentence to the current instant, which is stored in the epoch.
    mutating func finishSentence(_ epoch: inout Epoch, into ready: inout CompleteFixes) {
        isAdding = false
        var reported = ReportedAttitude()
        epoch.exchangeAttitude(&reported)
        if current.members & reported.members != 0 { publish(into: &ready) }
        current.add(reported)
        if isLearned, current.members == members { publish(into: &ready) }
        epoch.exchangeAttitude(&current)
    }

    /// Ends the instant stored in the epoch: the line is silent.
    mutating func end(_ epoch: inout Epoch, into ready: inout CompleteFixes) {
        epoch.exchangeAttitude(&current)
        publish(into: &ready)
    }

    private mutating func publish(into ready: inout CompleteFixes) {
        isLearned = current.members == members
        members = current.members
        ready.append(current.attitude)
        current = ReportedAttitude()
    }
}
