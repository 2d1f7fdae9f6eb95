// SPDX-License-Identifier: MIT

/// One epoch of a simulated receiver: what it says, when, and what is true.
public struct SimulatedEpoch: Sendable {
    /// What goes over the line. Empty where the receiver is silent, stalled or unplugged; several
    /// epochs' where they come at once.
    public var bytes: [UInt8]
    /// Seconds after the first epoch.
    public var seconds: Double
    /// Seconds after the first epoch at which the bytes are sent: `seconds` unless they are late.
    public var due: Double
    /// Whether the device is plugged in.
    public var plug: Plug
    /// What the receiver made of the sky, before anything went wrong on the line.
    public var observation: Observation
    /// What is true, whatever the receiver says.
    public var truth: Truth { observation.truth }

    /// Whether the device is plugged in.
    public enum Plug: Hashable, Sendable {
        /// It is, perhaps under another name than at first.
        case inserted(as: String?)
        /// It is pulled out after these bytes.
        case pulled
    }
}
