// SPDX-License-Identifier: MIT

/// Where the commas of a sentence stand: marks for the first 128 characters of its body, and how many
/// there are in all.
struct CommaMarks: BitwiseCopyable, Sendable {
    /// The first 64 characters, the first in the lowest bit.
    var low: UInt64 = 0
    /// The next 64.
    var high: UInt64 = 0
    var count = 0

    @inline(__always)
    init(low: UInt64 = 0, high: UInt64 = 0, count: Int = 0) {
        self.low = low
        self.high = high
        self.count = count
    }

    /// Takes the marks of the next 64 characters, or of the last ones; `window` counts them.
    @inline(__always)
    mutating func append(_ marks: UInt64, _ window: Int) {
        if window == 0 { low = marks } else if window == 1 { high = marks }
    }
}
