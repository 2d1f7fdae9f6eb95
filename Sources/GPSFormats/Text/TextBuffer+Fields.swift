// SPDX-License-Identifier: MIT
import GNSS

extension TextBuffer {
    /// Appends a literal; declared in this module, so that it can be inlined.
    @inline(__always)
    mutating func append(_ text: StaticString) {
        appendRecord { $0.append(text) }
    }

    /// Appends a name and a number, unless that is `nil` or too large to be a measurement.
    @inline(__always)
    mutating func append(
        _ name: StaticString, _ value: Double?, decimals: Int, _ end: StaticString = ""
    ) {
        guard let value, value.magnitude < 1e9 else { return }
        appendRecord {
            $0.append(name, value, decimals: decimals)
            $0.append(end)
        }
    }

    /// Appends a name and a whole number, unless that is `nil`.
    @inline(__always)
    mutating func append(_ name: StaticString, _ value: Int?, _ end: StaticString = "") {
        guard let value else { return }
        appendRecord {
            $0.append(name, value)
            $0.append(end)
        }
    }

    /// Appends escaped XML text between two tags; nothing if it is `nil`.
    mutating func append(_ start: StaticString, xml text: String?, _ end: StaticString) {
        guard let text else { return }
        append(start)
        append(xml: text)
        append(end)
    }

    /// Appends a latitude or a longitude with nine decimals.
    mutating func append(degrees: Double) {
        append(fixed: degrees, decimals: 9)
    }

    /// Appends an instant as `xs:dateTime`, which has no leap seconds: they become the last millisecond before.
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
