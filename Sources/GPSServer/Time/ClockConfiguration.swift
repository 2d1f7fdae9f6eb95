// SPDX-License-Identifier: MIT
import GPSReceivers

/// Where the time of receivers goes.
public struct ClockConfiguration: Hashable, Sendable {
    /// The sockets of chrony's SOCK reference clocks.
    public var chronySockets: [String] = []
    /// The units of NTP's shared memory.
    public var sharedMemoryUnits: [Int] = []
    /// Where the receivers' pulses come: a device such as `/dev/pps0`, whose pulses the kernel stamps, or the
    /// tty of a receiver, on whose DCD line they are waited for.
    public var pulseDevice: String?
    /// Whether the falling edge of a pulse marks the second.
    public var usesClearEdge = false
    /// Seconds from the epoch to its first byte: what the receiver takes to compute and to begin.
    public var delay = 0.0
    /// Also takes the time of pseudo terminals and the network, whose delay is anything. For tests.
    public var trustsAnySource = false

    /// Creates a configuration without any output.
    public init() {}

    var edge: Pulse.Edge { usesClearEdge ? .clear : .assert }
}
