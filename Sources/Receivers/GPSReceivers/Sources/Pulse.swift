// SPDX-License-Identifier: MIT
package import CGPSSerial

/// A pulse that a receiver sends at the beginning of a second (PPS).
package struct Pulse: Hashable, Sendable {
    /// The time of the pulse on the system's clock, in nanoseconds since 1970.
    package let systemTime: Int64
    /// The precision of `systemTime`, as an exponent of two: -20 means 2^-20 s.
    package let precision: Int

    /// Creates a pulse. The default precision is that of the kernel's time stamps.
    package init(systemTime: Int64, precision: Int = Pulse.kernelPrecision) {
        self.systemTime = systemTime
        self.precision = precision
    }

    /// Creates a pulse from an edge that C code reports. Returns `nil` if there has been no edge
    /// yet or its time is invalid.
    package init?(_ edge: cpps_edge, precision: Int = Pulse.kernelPrecision) {
        guard edge.sequence != 0, 0..<1_000_000_000 ~= edge.nanoseconds else { return nil }
        let (seconds, overflow) = edge.seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (time, isBeyond) = seconds.addingReportingOverflow(Int64(edge.nanoseconds))
        guard !overflow, !isBeyond else { return nil }
        self.init(systemTime: time, precision: precision)
    }

    /// The precision of a time stamp that an interrupt handler takes: about a microsecond.
    package static let kernelPrecision = -20
    /// The precision of a time stamp that a thread takes after it has been woken: about a
    /// millisecond. USB polls the line at about the same interval.
    package static let threadPrecision = -10

    /// The edge of a pulse that marks the beginning of the second.
    package enum Edge: Sendable {
        /// The rising edge, which the kernel calls "assert".
        case assert
        /// The falling edge.
        case clear
    }
}
