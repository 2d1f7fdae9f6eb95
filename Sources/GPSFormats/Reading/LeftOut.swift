// SPDX-License-Identifier: MIT

/// The parts of a file that a reader leaves out.
struct LeftOut {
    private(set) var count = 0
    /// The place of the first part, such as the number of its line; 0 if there is none.
    private(set) var first = 0

    /// Counts a part.
    mutating func add(at place: Int) {
        if count == 0 { first = place }
        count += 1
    }
}
