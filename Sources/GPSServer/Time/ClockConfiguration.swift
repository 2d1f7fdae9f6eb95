// SPDX-License-Identifier: MIT
import GPSReceivers

/// The outputs of receivers' time.
public struct ClockConfiguration: Hashable, Sendable {
    /// The sockets of chrony's SOCK reference clocks.
    public var chronySockets: [String] = []
    /// The units of NTP's shared memory.
    public var sharedMemoryUnits: [Int] = []
    /// The source of the receivers' pulses: a device such as `/dev/pps0`, whose pulses the kernel stamps, or the
    /// tty of a receiver, on whose DCD line they are waited for.
    public var pulseDevice: String?
    /// Whether the falling edge of a pulse marks the second.
    public var usesClearEdge = false
    /// Seconds from the epoch to its first byte: the receiver's delay.
    public var delay = 0.0
    /// Also uses the time of pseudo terminals and the network, whose delay is unknown. For tests.
    public var trustsAnySource = false

    /// Creates a configuration without any output.
    public init() {}

    var edge: Pulse.Edge { usesClearEdge ? .clear : .assert }
}
