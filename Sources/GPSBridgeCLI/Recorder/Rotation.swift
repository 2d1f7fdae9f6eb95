// SPDX-License-Identifier: MIT
import GNSS

/// When a recording continues in another file.
enum Rotation {
    /// Each day, in UTC.
    case daily
    /// Before a file exceeds a number of bytes.
    case size(Int)

    /// Parses `day` or a size such as `10M`.
    init(_ text: String) throws {
        guard text != "day" else {
            self = .daily
            return
        }
        let units: [Character: Double] = ["k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9]
        let unit = text.last.flatMap { units[$0] }
        let number = Double(unit == nil ? text[...] : text.dropLast())
        guard let number, let size = Int(exactly: (number * (unit ?? 1)).rounded()),
            size >= 1000
        else {
            throw UsageError(
                "rotate '\(text)' is neither 'day' nor a size from 1k on, such as 500k, 10M or 1G")
        }
        self = .size(size)
    }
}
