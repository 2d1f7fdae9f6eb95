// SPDX-License-Identifier: MIT
import GPSReceivers

/// The destinations of the receivers' time.
public struct ClockConfiguration: Hashable, Sendable {
    /// The socket paths of chrony's SOCK reference clocks.
    public var chronySockets: [String] = []
    /// The units of NTP's shared memory.
    public var sharedMemoryUnits: [Int] = []
    /// The source of pulses: a device such as `/dev/pps0`, whose pulses the kernel timestamps, or
    /// the tty of a receiver with pulses on its DCD line.
    public var pulseDevice: String?
    /// Whether the falling edge of a pulse marks the second.
    public var usesClearEdge = false
    /// Seconds from the epoch to the arrival of its first byte: the receiver's computing and
    /// sending time.
    public var delay = 0.0
    /// Whether pseudo terminals and network sources may set clocks, although their delay is
    /// unknown. For tests.
    public var trustsAnySource = false

    /// Creates a configuration without any output.
    public init() {}

    var edge: Pulse.Edge { usesClearEdge ? .clear : .assert }
}
