// SPDX-License-Identifier: MIT
package import CSerial

/// One pulse of a receiver, at the beginning of a second.
package struct Pulse: Hashable, Sendable {
    /// When it came, in nanoseconds of the system's clock since 1970.
    package let systemTime: Int64

    /// Creates a pulse.
    package init(systemTime: Int64) {
        self.systemTime = systemTime
    }

    /// Converts what the kernel has stamped; `nil` where it has stamped nothing.
    package init?(_ edge: cpps_edge) {
        guard edge.sequence != 0, 0..<1_000_000_000 ~= edge.nanoseconds else { return nil }
        let (seconds, overflow) = edge.seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (time, isBeyond) = seconds.addingReportingOverflow(Int64(edge.nanoseconds))
        guard !overflow, !isBeyond else { return nil }
        systemTime = time
    }
}
