// SPDX-License-Identifier: MIT

/// A short list of satellite numbers as sent, without a heap allocation.
public struct SatelliteNumbers: Hashable, Sendable {
    private static let capacity = 24

    private var numbers = InlineArray<24, UInt16>(repeating: 0)

    /// How many numbers there are.
    public private(set) var count = 0

    /// Creates an empty list.
    public init() {}

    /// Creates a list; beyond 24 numbers the rest is left out.
    public init(_ numbers: some Sequence<Int>) {
        for number in numbers { append(number) }
    }

    /// Adds a number; left out beyond 24 numbers, or where it is no satellite's.
    @inline(__always)
    public mutating func append(_ number: Int) {
        guard count < Self.capacity, 1...999 ~= number else { return }
        numbers[count] = UInt16(number)
        count += 1
    }

    /// The number at an index below `count`.
    public subscript(index: Int) -> Int {
        // By its span, which saves a copy of all the numbers.
        Int(numbers.span[index])
    }

    /// Same numbers in the same order.
    public static func == (a: Self, b: Self) -> Bool {
        a.count == b.count && (0..<a.count).allSatisfy { a[$0] == b[$0] }
    }

    /// Hashes the numbers.
    public func hash(into hasher: inout Hasher) {
        for index in 0..<count { hasher.combine(self[index]) }
    }
}
