// SPDX-License-Identifier: MIT
import GNSS

/// An instant as it is typed: `2026-03-21T12:00:00Z`.
enum TimeArgument {
    static func time(_ text: String) throws -> UTCTime {
        guard let time = UTCTime(iso8601: text) else {
            throw UsageError("'\(text)' is no time: write it in UTC, as in 2026-03-21T12:00:00Z")
        }
        return time
    }
}
