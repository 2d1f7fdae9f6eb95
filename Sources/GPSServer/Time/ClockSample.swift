// SPDX-License-Identifier: MIT

/// One comparison of the receiver's time with the system's clock.
package struct ClockSample: Hashable, Sendable {
    /// The receiver's time, in nanoseconds since 1970.
    package let trueTime: Int64
    /// The system's time at that instant, in nanoseconds.
    package let systemTime: Int64
    /// How exactly they are known to belong together, as a power of two in seconds, as NTP has it.
    package let precision: Int

    /// Creates a sample; that of a sentence is good to tenths of a second.
    package init(
        trueTime: Int64, systemTime: Int64, precision: Int = ClockSample.sentencePrecision
    ) {
        self.trueTime = trueTime
        self.systemTime = systemTime
        self.precision = precision
    }

    /// Half a second.
    package static let sentencePrecision = -1

    /// Whether a pulse marked it.
    package var isPulse: Bool { precision < Self.sentencePrecision }

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

/// The quotient rounded down, also of negative numbers.
func floorDivided(_ value: Int64, _ divisor: Int64) -> Int64 {
    let quotient = value / divisor
    return value % divisor < 0 ? quotient - 1 : quotient
}
