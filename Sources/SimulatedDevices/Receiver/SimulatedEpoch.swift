// SPDX-License-Identifier: MIT

/// One epoch of a simulated receiver: its bytes, when they are sent, and the ground truth.
public struct SimulatedEpoch: Sendable {
    /// The bytes sent. Empty if the receiver is silent, stalled or unplugged; those of several
    /// epochs if they are sent together.
    public var bytes: [UInt8]
    /// Seconds after the first epoch.
    public var seconds: Double
    /// Seconds after the first epoch at which the bytes are sent: `seconds` unless they are late.
    public var due: Double
    /// Whether the device is plugged in.
    public var plug: Plug
    /// The receiver's observation, before faults of the line.
    public var observation: Observation
    /// The active attacks: jammers and false signals.
    public var attacks: [Fault] = []
    /// The ground truth.
    public var truth: Truth { observation.truth }

    /// Whether the device is plugged in.
    public enum Plug: Hashable, Sendable {
        /// Plugged in, with the new name if it has changed.
        case inserted(as: String?)
        /// Unplugged after these bytes.
        case unplugged
    }
}
