// SPDX-License-Identifier: MIT

/// One comparison of the receiver's time with the system's clock.
package struct ClockSample: Hashable, Sendable {
    /// The receiver's time, in nanoseconds since 1970.
    package let trueTime: Int64
    /// What the system's clock showed at that instant.
    package let systemTime: Int64
    /// Whether a pulse marked it: good to microseconds, not to tenths of a second.
    package let isPulse: Bool

    /// Creates a sample.
    package init(trueTime: Int64, systemTime: Int64, isPulse: Bool = false) {
        self.trueTime = trueTime
        self.systemTime = systemTime
        self.isPulse = isPulse
    }

    /// The precision as a power of two in seconds, as NTP has it.
    var precision: Int { isPulse ? -20 : -1 }

    /// The 40 bytes that chrony's SOCK reference clock reads.
    package var chronyDatagram: [UInt8] {
        // The time has microseconds only; the offset carries the rest.
        let seconds = floorDivided(systemTime, 1_000_000_000)
        let microseconds = (systemTime - seconds * 1_000_000_000) / 1000
        let truncated = seconds * 1_000_000_000 + microseconds * 1000
        let offset = Double(trueTime - truncated) / 1e9
        var bytes: [UInt8] = []
        append(seconds, to: &bytes)
        append(microseconds, to: &bytes)
        append(offset.bitPattern, to: &bytes)
        // A full time also where a pulse marked it: chronyd need not find its second.
        append(Int32(0), to: &bytes)
        append(Int32(0), to: &bytes)  // no leap second
        append(Int32(0), to: &bytes)
        append(Int32(0x534F_434B), to: &bytes)
        return bytes
    }

    private func append(_ value: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: value) { bytes += $0 }
    }
}

/// The quotient rounded down, also of what is below zero.
func floorDivided(_ value: Int64, _ divisor: Int64) -> Int64 {
    let quotient = value / divisor
    return value % divisor < 0 ? quotient - 1 : quotient
}
