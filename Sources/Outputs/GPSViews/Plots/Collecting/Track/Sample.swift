// SPDX-License-Identifier: MIT
import GNSS

/// A random sample of values (reservoir sampling, algorithm R). Each value is included with the
/// same probability. If at most `limit` values were added, the sample contains all of them. The
/// same values in the same order always give the same sample.
package struct Sample<Value: Sendable>: Sendable {
    package private(set) var values: [Value] = []
    /// The number of values that were added.
    package private(set) var count = 0
    private let limit: Int
    private var random = SeededGenerator(seed: 0x9E37_79B9_7F4A_7C15)

    package init(limit: Int) {
        self.limit = max(1, limit)
    }

    package mutating func add(_ value: Value) {
        count += 1
        guard values.count == limit else { return values.append(value) }
        let index = random.next() % UInt64(count)
        if index < UInt64(limit) { values[Int(index)] = value }
    }
}
