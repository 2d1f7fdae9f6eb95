// SPDX-License-Identifier: MIT
import GNSS
import UBX

/// Interprets the commands of a simulated receiver and stores its settings.
protocol ReceiverControl: Sendable {
    /// The settings in effect.
    var settings: ReceiverSettings { get }

    /// Interprets bytes that a program has sent, and returns the reactions in order.
    mutating func receive(_ bytes: [UInt8], _ moment: ReceiverSnapshot) -> [ReceiverReaction]

    /// Loads the stored settings after a power failure. If `keepsBattery` is `false`, the
    /// battery-backed memory is lost too.
    mutating func restart(keepsBattery: Bool)
}

/// The state of a simulated receiver when it receives a command.
struct ReceiverSnapshot {
    /// The true time.
    var time: UTCTime
    /// The observation of the last epoch; `nil` before the first one.
    var observation: SimulatedObservation?
    /// Returns the current content of a polled UBX message as a frame; empty if the receiver cannot
    /// send it.
    var poll: (UBXMessageID) -> [UInt8] = { _ in [] }
}

/// The reaction of a receiver to a command.
enum ReceiverReaction {
    /// Send bytes, which are complete messages, after a delay in seconds.
    case answer([UInt8], after: Double)
    /// Restart the receiver.
    case restart(ReceiverRestart)
    /// Change the time to the first fix because of assistance data.
    case assistance(Acquisition)
    /// Resume the epochs (`true`) or stop them (`false`).
    case run(Bool)
}

/// A restart of a receiver.
struct ReceiverRestart: Hashable, Sendable {
    /// The satellite data that a restart keeps.
    enum StartKind: Hashable, Sendable {
        /// All data.
        case hot
        /// Time and position, but not the ephemerides.
        case warm
        /// No data.
        case cold
    }

    /// The satellite data that the restart keeps.
    var startKind: StartKind
    /// Whether the port also restarts. During the restart, nothing is sent, and a USB port
    /// disappears.
    var includesPort = false
    /// Whether the receiver sends its start-up texts.
    var isAnnounced = false
    /// Whether the receiver sends one additional epoch at an irregular time, as after a change of
    /// constellations.
    var hasExtraEpoch = false
}
