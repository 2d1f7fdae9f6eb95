// SPDX-License-Identifier: MIT
import GNSS

/// When a recording continues in another file.
enum Rotation {
    /// A new file begins each day, in UTC.
    case daily
    /// A new file begins each hour, in UTC.
    case hourly
    /// A new file begins when a file has reached this number of bytes.
    case size(Int)

    /// Parses `day`, `hour` or a size such as `10M`. Throws a `UsageError` for other text.
    init(_ text: String) throws {
        if text == "day" || text == "hour" {
            self = text == "day" ? .daily : .hourly
            return
        }
        let units: [Character: Double] = ["k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9]
        let unit = text.last.flatMap { units[$0] }
        let number = Double(unit == nil ? text[...] : text.dropLast())
        guard let number, let size = Int(exactly: (number * (unit ?? 1)).rounded()),
            size >= 1000
        else {
            throw UsageError(
                "not a value for --rotate: '\(text)' (expected day, hour, or a size of at least "
                    + "1000 bytes, such as 500k, 10M or 1G)"
            )
        }
        self = .size(size)
    }

    /// Returns whether to begin a new file after a file with `size` bytes that was begun at
    /// `begun`.
    func isOver(begun: UTCTime, size: Int, at now: UTCTime) -> Bool {
        switch self {
        case .daily: now.date != begun.date
        case .hourly: now.date != begun.date || now.time.hour != begun.time.hour
        case .size(let limit): size >= limit
        }
    }
}
