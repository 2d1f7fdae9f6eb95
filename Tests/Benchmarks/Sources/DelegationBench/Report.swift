// SPDX-License-Identifier: MIT
import Glibc

/// Prints a line for each result, and records whether all are within their limits.
struct Report {
    private(set) var isWithinLimits = true

    /// Prints a result, and reports it if it is above its limit.
    mutating func line(_ what: String, _ value: Double, _ unit: String, limit: Double? = nil) {
        var line = what + String(repeating: " ", count: max(1, 62 - what.count))
        let text = String((value * 10).rounded() / 10)
        line += String(repeating: " ", count: max(0, 12 - text.count)) + text + " " + unit
        if let limit {
            let isWithin = value <= limit
            isWithinLimits = isWithinLimits && isWithin
            line += isWithin ? "   (limit \(limit))" : "   ABOVE the limit of \(limit)"
        }
        print(line)
    }
}
