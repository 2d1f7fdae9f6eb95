// SPDX-License-Identifier: MIT
package import CGPSSerial

/// A pulse of a receiver at the beginning of a second.
package struct Pulse: Hashable, Sendable {
    /// The time of the pulse, in nanoseconds of the system's clock since 1970.
    package let systemTime: Int64
    /// The precision of `systemTime`, as a power of two in seconds.
    package let precision: Int

    /// Creates a pulse; the default precision is that of the kernel's time stamps.
    package init(systemTime: Int64, precision: Int = Pulse.kernelPrecision) {
        self.systemTime = systemTime
        self.precision = precision
    }

    /// Converts an edge; `nil` if there has been none.
    package init?(_ edge: cpps_edge, precision: Int = Pulse.kernelPrecision) {
        guard edge.sequence != 0, 0..<1_000_000_000 ~= edge.nanoseconds else { return nil }
        let (seconds, overflow) = edge.seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (time, isBeyond) = seconds.addingReportingOverflow(Int64(edge.nanoseconds))
        guard !overflow, !isBeyond else { return nil }
        self.init(systemTime: time, precision: precision)
    }

    /// About a microsecond, for a time stamp of the interrupt handler.
    package static let kernelPrecision = -20
    /// About a millisecond, for a time stamp by a woken thread; USB polls the line about as often.
    package static let threadPrecision = -10

    /// The edge of a pulse that marks the second.
    package enum Edge: Sendable {
        /// The rising edge, which the kernel calls "assert".
        case assert
        /// The falling edge.
        case clear
    }
}
