// SPDX-License-Identifier: MIT

/// One comparison of the receiver's time with the system's clock.
package struct ClockSample: Hashable, Sendable {
    /// The receiver's time, in nanoseconds since 1970.
    package let trueTime: Int64
    /// The system's time at that instant, in nanoseconds.
    package let systemTime: Int64
    /// The precision of the comparison as a power of two in seconds, as in NTP.
    package let precision: Int

    /// Creates a sample. The default precision is that of a sentence.
    package init(
        trueTime: Int64, systemTime: Int64, precision: Int = ClockSample.sentencePrecision
    ) {
        self.trueTime = trueTime
        self.systemTime = systemTime
        self.precision = precision
    }

    /// The precision of sentences: half a second.
    package static let sentencePrecision = -1

    /// Whether the sample was measured by a pulse.
    package var isPulse: Bool { precision < Self.sentencePrecision }

    /// The 40 bytes that chrony's SOCK reference clock reads.
    package var chronyDatagram: [UInt8] {
        // The time has only microseconds; the offset includes the rest.
        let seconds = floorDivided(systemTime, 1_000_000_000)
        let microseconds = (systemTime - seconds * 1_000_000_000) / 1000
        let truncated = seconds * 1_000_000_000 + microseconds * 1000
        let offset = Double(trueTime - truncated) / 1e9
        var bytes: [UInt8] = []
        append(seconds, to: &bytes)
        append(microseconds, to: &bytes)
        append(offset.bitPattern, to: &bytes)
        // A complete time even for a pulse, so that chronyd need not determine the second.
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

/// Returns the quotient rounded down, also for negative values.
func floorDivided(_ value: Int64, _ divisor: Int64) -> Int64 {
    let quotient = value / divisor
    return value % divisor < 0 ? quotient - 1 : quotient
}
