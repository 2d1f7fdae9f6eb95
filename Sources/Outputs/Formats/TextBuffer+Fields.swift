// SPDX-License-Identifier: MIT
import GNSS

/// What stands in a format only where it is known.
extension TextBuffer {
    /// Appends a literal. In this module, where it is inlined: its bytes are moved by a few
    /// instructions then.
    @inline(__always)
    mutating func append(_ text: StaticString) {
        let length = text.utf8CodeUnitCount
        if room.count &- count < length { grow(length) }
        let start = count
        room.withUnsafeMutableBytes {
            $0.baseAddress?.advanced(by: start)
                .copyMemory(from: text.utf8Start, byteCount: length)
        }
        count = start &+ length
    }

    /// Appends a number behind its name, unless it is unknown or too large to be a measurement.
    @inline(__always)
    mutating func append(
        _ name: StaticString, _ value: Double?, decimals: Int, _ end: StaticString = ""
    ) {
        // NaN is not below the limit either.
        guard let value, value.magnitude < 1e9 else { return }
        append(name)
        append(fixed: value, decimals: decimals)
        append(end)
    }

    /// Appends a whole number behind its name, unless it is unknown.
    @inline(__always)
    mutating func append(_ name: StaticString, _ value: Int?, _ end: StaticString = "") {
        guard let value else { return }
        append(name)
        append(integer: value)
        append(end)
    }

    /// Appends text for XML between two tags, unless there is none.
    mutating func append(_ start: StaticString, xml text: String?, _ end: StaticString) {
        guard let text else { return }
        append(start)
        append(xml: text)
        append(end)
    }

    /// Appends a latitude or a longitude, to a billionth of a degree.
    mutating func append(degrees: Double) {
        append(fixed: degrees, decimals: 9)
    }

    /// Appends an instant as `xs:dateTime`, which has no leap second: the last millisecond before it.
    mutating func append(dateTime instant: UTCTime) {
        var instant = instant
        if instant.time.isLeapSecond,
            let last = TimeOfDay(hour: 23, minute: 59, second: 59, nanosecond: 999_000_000)
        {
            instant.time = last
        }
        append(iso8601: instant)
    }
}
