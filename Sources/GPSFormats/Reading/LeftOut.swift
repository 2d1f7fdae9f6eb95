// SPDX-License-Identifier: MIT

/// The number of parts of a file that a reader leaves out, and the place of the first one.
struct LeftOut {
    private(set) var count = 0
    /// The line number or the byte offset of the first part; 0 if there is none.
    private(set) var first = 0

    /// Counts a part that begins at a line number or byte offset.
    mutating func add(at place: Int) {
        if count == 0 { first = place }
        count += 1
    }
}
