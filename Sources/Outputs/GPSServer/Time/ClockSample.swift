// SPDX-License-Identifier: MIT
import GNSS

/// The receiver's time and the system's time at the same instant.
package struct ClockSample: Hashable, Sendable {
    /// The receiver's time, in nanoseconds of Unix time.
    package let trueTime: Int64
    /// The system's time at that instant, in nanoseconds of Unix time.
    package let systemTime: Int64
    /// The precision as the exponent of a power of two in seconds, as in NTP: -1 means 0.5 s.
    package let precision: Int

    /// Creates a sample. The default precision is that of an epoch's sentences.
    package init(
        trueTime: Int64, systemTime: Int64, precision: Int = ClockSample.sentencePrecision
    ) {
        self.trueTime = trueTime
        self.systemTime = systemTime
        self.precision = precision
    }

    /// The precision of times from sentences: half a second.
    package static let sentencePrecision = -1

    /// Whether the sample comes from a PPS pulse.
    package var isPulse: Bool { precision < Self.sentencePrecision }

    /// The sample as the 40-byte datagram of chrony's SOCK reference clock.
    package var chronyDatagram: [UInt8] {
        // The time field has a resolution of microseconds. The offset includes the nanoseconds.
        let (seconds, nanoseconds) = Self.divided(systemTime)
        let offset =
            Double(Int128(trueTime) - Int128(systemTime) + Int128(nanoseconds % 1000)) / 1e9
        var bytes: [UInt8] = []
        append(seconds, to: &bytes)
        append(nanoseconds / 1000, to: &bytes)
        append(offset.bitPattern, to: &bytes)
        // This is chrony's `pulse` field. It is 0 even for a pulse, because the time includes the
        // second.
        append(Int32(0), to: &bytes)
        append(Int32(0), to: &bytes)  // no leap second
        append(Int32(0), to: &bytes)
        append(Int32(0x534F_434B), to: &bytes)
        return bytes
    }

    /// Returns `PPS` for the sample of a pulse, otherwise `TOFF`: a line with both times.
    package func report(device: String) -> [UInt8] {
        var object = JSONObject(class: isPulse ? "PPS" : "TOFF")
        object.add("device", device)
        for (name, time) in [("real", trueTime), ("clock", systemTime)] {
            let (seconds, nanoseconds) = Self.divided(time)
            object.add("\(name)_sec", Int(seconds))
            object.add("\(name)_nsec", Int(nanoseconds))
        }
        if isPulse { object.add("precision", precision) }
        return object.line
    }

    /// Divides nanoseconds of Unix time into seconds and the nanoseconds after them.
    static func divided(_ time: Int64) -> (seconds: Int64, nanoseconds: Int64) {
        let seconds = floorDivided(time, 1_000_000_000)
        // The product may be below the range of `Int64`; the difference never is.
        return (seconds, time &- seconds &* 1_000_000_000)
    }

    private func append(_ value: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: value) { bytes += $0 }
    }
}
