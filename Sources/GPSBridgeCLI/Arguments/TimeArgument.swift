// SPDX-License-Identifier: MIT
import GNSS

/// An instant as it is typed: `2026-03-21T12:00:00Z`.
enum TimeArgument {
    static func time(_ text: String) throws -> UTCTime {
        // Where there are digits in the pattern there are digits in the text, else the same.
        let pattern = "0000-00-00T00:00:00Z"
        let fits =
            text.count == pattern.count
            && zip(text, pattern).allSatisfy { character, place in
                place == "0" ? ("0"..."9").contains(character) : character == place
            }
        let numbers = text.split { !("0"..."9").contains($0) }.compactMap { Int($0) }
        guard fits, numbers.count == 6,
            let date = CalendarDate(year: numbers[0], month: numbers[1], day: numbers[2]),
            let time = TimeOfDay(hour: numbers[3], minute: numbers[4], second: numbers[5])
        else {
            throw UsageError("'\(text)' is no time: write it in UTC, as in 2026-03-21T12:00:00Z")
        }
        return UTCTime(date: date, time: time)
    }
}
