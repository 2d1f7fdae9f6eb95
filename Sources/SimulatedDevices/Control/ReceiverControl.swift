// SPDX-License-Identifier: MIT
import GNSS
import UBX

/// The commands that a kind of receiver understands, and its memory.
protocol ReceiverControl: Sendable {
    /// The settings in effect.
    var settings: ReceiverSettings { get }

    /// Interprets bytes that a program has written.
    mutating func receive(_ bytes: [UInt8], _ moment: ReceiverMoment) -> [ReceiverReaction]

    /// Forgets what is lost without power.
    mutating func restart(keepsBattery: Bool)
}

/// The state of a receiver when it receives a command.
struct ReceiverMoment {
    /// Seconds after the first epoch.
    var seconds: Double
    /// The true time.
    var time: UTCTime
    /// The observation of the last epoch.
    var observation: Observation?
    /// The answer to a poll of a message that the receiver sends; empty if it does not have it.
    var poll: (UBXMessageID) -> [UInt8] = { _ in [] }
}

/// The reaction of a receiver to a command.
enum ReceiverReaction {
    /// Sends bytes after some seconds, in whole messages.
    case answer([UInt8], after: Double)
    /// Starts again.
    case restart(ReceiverRestart)
    /// Has received data that shorten the time to the first fix, or lengthen it.
    case assistance(Acquisition)
    /// Stops its epochs, or resumes them.
    case run(Bool)
}

/// A restart of a receiver.
struct ReceiverRestart: Hashable, Sendable {
    /// The data about satellites that a restart keeps.
    enum Knowledge: Hashable, Sendable {
        /// Everything.
        case hot
        /// Time and position, but no ephemerides.
        case warm
        /// Nothing.
        case cold
    }

    /// The data that it keeps.
    var knowledge: Knowledge
    /// Whether the port restarts as well: until then nothing is sent, and USB disappears.
    var includesPort = false
    /// Whether the texts of a start are sent.
    var isAnnounced = false
    /// Whether an epoch off the grid follows, as after a change of constellations.
    var hasExtraEpoch = false
}
