// SPDX-License-Identifier: MIT
package import CGPSSerial

/// One pulse of a receiver, at the beginning of a second.
package struct Pulse: Hashable, Sendable {
    /// When it came, in nanoseconds of the system's clock since 1970.
    package let systemTime: Int64
    /// How exactly that is known, as a power of two in seconds.
    package let precision: Int

    /// Creates a pulse that the kernel has stamped, or another one.
    package init(systemTime: Int64, precision: Int = Pulse.kernelPrecision) {
        self.systemTime = systemTime
        self.precision = precision
    }

    /// Converts an edge; `nil` where there has been none.
    package init?(_ edge: cpps_edge, precision: Int = Pulse.kernelPrecision) {
        guard edge.sequence != 0, 0..<1_000_000_000 ~= edge.nanoseconds else { return nil }
        let (seconds, overflow) = edge.seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (time, isBeyond) = seconds.addingReportingOverflow(Int64(edge.nanoseconds))
        guard !overflow, !isBeyond else { return nil }
        self.init(systemTime: time, precision: precision)
    }

    /// A microsecond: stamped where the interrupt is handled.
    package static let kernelPrecision = -20
    /// A millisecond: stamped by a thread that is woken, and USB asks for the line about as often.
    package static let threadPrecision = -10

    /// Which edge of a pulse marks the second.
    package enum Edge: Sendable {
        /// The rising one, as kernels call it: assert.
        case assert
        /// The falling one.
        case clear
    }
}
