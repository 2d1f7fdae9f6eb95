// SPDX-License-Identifier: MIT
import GPSReceivers

/// The clock services to which the receivers' time is sent, and how the time is measured.
public struct ClockConfiguration: Hashable, Sendable {
    /// The socket paths of chrony's SOCK reference clocks.
    public var chronySockets: [String] = []
    /// The units of NTP's shared memory to write, each from 0 to 255. With a `pulseDevice`, the
    /// pulses are written to the unit after each, which must not be in this list.
    public var sharedMemoryUnits: [Int] = []
    /// The path of the device that provides PPS pulses: a device such as `/dev/pps0`, whose pulses
    /// the kernel timestamps, or the tty of a receiver with pulses on its DCD line. `nil` for none.
    public var pulseDevice: String?
    /// Whether the second starts at the pulse's falling (clear) edge instead of its rising (assert)
    /// edge.
    public var usesClearEdge = false
    /// The delay from an epoch to the arrival of its first byte, in seconds: the time that the
    /// receiver needs to compute and send.
    public var delay = 0.0
    /// Whether the time of pseudo terminals and network sources is used, although its delay is
    /// unknown. Use this only for tests.
    public var trustsAnySource = false

    /// Creates a configuration without clock services.
    public init() {}

    /// A unit that would receive the pulses of the unit before it in addition to its own sentences;
    /// `nil` if there is none.
    package var unitWithTwoInputs: Int? {
        guard pulseDevice != nil else { return nil }
        return sharedMemoryUnits.first { sharedMemoryUnits.contains($0 &- 1) }
    }

    var edge: Pulse.Edge { usesClearEdge ? .clear : .assert }
}
