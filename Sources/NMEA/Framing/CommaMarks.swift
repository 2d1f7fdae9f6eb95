// SPDX-License-Identifier: MIT

/// The positions of a sentence's commas: marks for the first 128 characters of its body, and the
/// total count.
struct CommaMarks: BitwiseCopyable, Sendable {
    /// The marks of the first 64 characters, the first in the lowest bit.
    var low: UInt64 = 0
    /// The marks of the next 64 characters.
    var high: UInt64 = 0
    var count = 0

    /// Adds the commas at an index of the body.
    @inline(__always)
    mutating func add(_ marks: UInt64, at index: Int) {
        low |= marks << index
        high |= marks << (index &- 64)
        count &+= marks.nonzeroBitCount
    }
}
