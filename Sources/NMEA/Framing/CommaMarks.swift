// SPDX-License-Identifier: MIT

/// Where the commas of a sentence stand: marks for the first 128 characters of its body, and how many
/// there are in all.
struct CommaMarks: BitwiseCopyable, Sendable {
    /// The first 64 characters, the first in the lowest bit.
    var low: UInt64 = 0
    /// The next 64.
    var high: UInt64 = 0
    var count = 0

    /// Adds the commas that stand from an index of the body on.
    @inline(__always)
    mutating func add(_ marks: UInt64, at index: Int) {
        low |= marks << index
        high |= marks << (index &- 64)
        count &+= marks.nonzeroBitCount
    }
}
