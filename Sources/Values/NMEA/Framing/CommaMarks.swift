// SPDX-License-Identifier: MIT

/// The positions of the commas in the first 128 characters of a sentence's body, one bit for each
/// character, and the number of all commas.
struct CommaMarks: BitwiseCopyable, Sendable {
    /// The bits of the first 64 characters; the first character has the lowest bit.
    var low: UInt64 = 0
    /// The bits of the next 64 characters.
    var high: UInt64 = 0
    var count = 0

    /// Adds the comma bits of the 64 characters that start at an index of the body.
    @inline(__always)
    mutating func add(_ marks: UInt64, at index: Int) {
        low |= marks << index
        high |= marks << (index &- 64)
        count &+= marks.nonzeroBitCount
    }
}
