// SPDX-License-Identifier: MIT
import GNSS

/// The tags of an element, made ready once.
struct XMLElement: Sendable {
    fileprivate let start: LongPiece
    fileprivate let end: LongPiece

    init(_ name: String) {
        start = LongPiece("<\(name)>")
        end = LongPiece("</\(name)>")
    }
}

extension TextWriter {
    /// An instant as `xs:dateTime`, which knows no leap second: that is the last millisecond before it.
    mutating func dateTime(_ instant: UTCTime) {
        let time = instant.time
        guard time.second > 59,
            let last = TimeOfDay(
                hour: time.hour, minute: time.minute, second: 59, nanosecond: 999_000_000)
        else { return utc(instant) }
        utc(UTCTime(date: instant.date, time: last))
    }

    /// A number with 1 to 9 decimals; no element where it is not known.
    mutating func element(_ element: XMLElement, _ value: Double?, decimals: Int) {
        // What is not a number is not below the limit either.
        guard let value, value.magnitude < 1e9 else { return }
        put(element.start)
        decimal(value, decimals)
        put(element.end)
    }

    /// A whole number; no element where it is not known.
    mutating func element(_ element: XMLElement, _ value: Int?) {
        guard let value else { return }
        put(element.start)
        integer(value)
        put(element.end)
    }
}
