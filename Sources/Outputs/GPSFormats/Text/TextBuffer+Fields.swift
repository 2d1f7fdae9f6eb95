// SPDX-License-Identifier: MIT
import GNSS

extension TextBuffer {
    /// Appends a string literal. It is declared in this module so that it can be inlined.
    @inline(__always)
    mutating func append(_ text: StaticString) {
        appendRecord { $0.append(text) }
    }

    /// Appends a name, a number and the text `end`. Appends nothing if the number is `nil`, NaN or
    /// 1e9 or more.
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

    /// Appends a name, an integer and the text `end`. Appends nothing if the number is `nil`.
    @inline(__always)
    mutating func append(_ name: StaticString, _ value: Int?, _ end: StaticString = "") {
        guard let value else { return }
        appendRecord {
            $0.append(name, value)
            $0.append(end)
        }
    }

    /// Appends the name of a source, `separator` and the origin. If the data is simulated,
    /// `SIMULATED` precedes the name.
    mutating func append(
        xml source: OutputSource, isSimulated: Bool, _ separator: StaticString
    ) {
        if isSimulated { append("SIMULATED ") }
        append(xml: source.name)
        append(separator)
        append(text: source.originName(isSimulated: isSimulated))
    }

    /// Appends escaped XML text between two tags. Appends nothing if the text is `nil`.
    mutating func append(_ start: StaticString, xml text: String?, _ end: StaticString) {
        guard let text else { return }
        append(start)
        append(xml: text)
        append(end)
    }

    /// Appends a name and a JSON string. Appends nothing if the string is `nil`.
    mutating func append(_ name: StaticString, json text: String?) {
        guard let text else { return }
        append(name)
        append(json: text)
    }

    /// Appends a name, an instant and a quotation mark. Appends nothing if the instant is `nil`.
    mutating func append(_ name: StaticString, quoted instant: UTCTime?) {
        guard let instant else { return }
        append(name)
        append(iso8601: instant)
        append("\"")
    }

    /// Appends a latitude or a longitude with nine decimals.
    mutating func append(degrees: Double) {
        append(fixed: degrees, decimals: 9)
    }

    /// Appends an instant between two tags as `xs:dateTime`, which has no leap seconds. Appends
    /// nothing if the instant is `nil`.
    mutating func append(_ start: StaticString, dateTime instant: UTCTime?, _ end: StaticString) {
        guard let instant else { return }
        append(start)
        append(iso8601: instant.withoutLeapSecond)
        append(end)
    }

    /// Appends a longitude with nine decimals, for schemas that do not allow 180. A longitude that
    /// would be rounded to 180 becomes -180.
    mutating func append(longitudeBelow180 longitude: Double) {
        append(degrees: longitude >= 179.999_999_999_5 ? longitude - 360 : longitude)
    }
}

extension UTCTime {
    /// The instant for formats without leap seconds: during a leap second, the last millisecond
    /// before it.
    var withoutLeapSecond: UTCTime {
        guard time.isLeapSecond,
            let last = TimeOfDay(hour: 23, minute: 59, second: 59, nanosecond: 999_000_000)
        else { return self }
        return UTCTime(date: date, time: last)
    }
}
