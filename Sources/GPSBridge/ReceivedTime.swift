// SPDX-License-Identifier: MIT
import GNSS

/// The line by which a recording says when the bytes behind it came; see docs/recording.md.
enum ReceivedTime {
    private static let pattern = Array("# 0000-00-00T00:00:00.000000Z".utf8)

    /// How many characters it has, its end left out.
    static var length: Int { pattern.count }

    /// The instant of such a line; `nil` for any other.
    static func time(in line: [UInt8]) -> UTCTime? {
        let text = line.prefix(pattern.count)
        let zero = UInt8(ascii: "0")
        // Where there are digits in the pattern there are digits in the text, else the same.
        let fits =
            text.count == pattern.count
            && zip(text, pattern).allSatisfy { byte, place in
                place == zero ? zero...(zero + 9) ~= byte : byte == place
            }
        guard fits, line.dropFirst(pattern.count).allSatisfy({ $0 == 0x0D || $0 == 0x0A }) else {
            return nil
        }
        func number(_ start: Int, _ count: Int) -> Int {
            text[start..<start + count].reduce(0) { $0 * 10 + Int($1 - zero) }
        }
        guard
            let date = CalendarDate(year: number(2, 4), month: number(7, 2), day: number(10, 2)),
            let time = TimeOfDay(
                hour: number(13, 2), minute: number(16, 2), second: number(19, 2),
                nanosecond: number(22, 6) * 1000)
        else { return nil }
        return UTCTime(date: date, time: time)
    }
}
