// SPDX-License-Identifier: MIT
import GNSS

/// Groups the values of a compass, an autopilot or an inertial unit into instants, on a line
/// without a satellite receiver.
///
/// The sentences of such a device have no time, or their time is ignored (PASHR). An instant ends
/// when one of its values is reported again. After two consecutive instants with the same set of
/// values, an instant ends when the set is complete.
struct InstrumentInstants: Equatable, Sendable {
    /// Whether a sentence is being added: `begin(_:)` has been called, but not `finishSentence`.
    private(set) var isAdding = false
    /// The values of the current instant while a sentence is being added. At other times, the epoch
    /// contains them.
    private var current = ReportedAttitude()
    /// The kinds of values that the previous instant had, one bit for each.
    private var members: UInt8 = 0
    /// Whether the values of the current instant may be only a part of those that were sent. It is
    /// then dropped when it ends.
    var lacksBeginning = false
    /// Whether the last two instants had the same kinds of values.
    private var isLearned = false

    /// Empties the attitude in the epoch, so that it contains only the next sentence's values
    /// afterwards.
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

    /// Ends the instant stored in the epoch, because the line is silent.
    mutating func end(_ epoch: inout Epoch, into ready: inout CompleteFixes) {
        epoch.exchangeAttitude(&current)
        publish(into: &ready)
    }

    private mutating func publish(into ready: inout CompleteFixes) {
        isLearned = current.members == members
        members = current.members
        if !exchange(&lacksBeginning, with: false) { ready.append(current.attitude) }
        current = ReportedAttitude()
    }
}
