// SPDX-License-Identifier: MIT

/// One epoch of a simulated receiver, with its bytes, their send time and the ground truth.
public struct SimulatedEpoch: Sendable {
    /// The bytes to send. They are empty while the receiver is silent, stalled or unplugged. After
    /// a stall or with the fault `burst`, they contain several epochs.
    public var bytes: [UInt8]
    /// The time of the epoch in seconds after the first one.
    public var seconds: Double
    /// The time at which the bytes are sent, in seconds after the first epoch. It equals `seconds`
    /// unless the bytes are late.
    public var due: Double
    /// Whether the device is plugged in.
    public var plug: Plug
    /// The receiver's observation, before faults of the line are applied.
    public var observation: SimulatedObservation
    /// The active attacks on the signals: jamming and spoofing.
    public var attacks: [Fault] = []
    /// The ground truth.
    public var truth: Truth { observation.truth }

    /// Whether the device is plugged in.
    public enum Plug: Hashable, Sendable {
        /// The device is plugged in. The name is `nil` unless the fault `unplug` has changed it.
        case inserted(as: String?)
        /// The device is unplugged after the bytes of this epoch.
        case unplugged
    }
}
