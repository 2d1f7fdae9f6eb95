// SPDX-License-Identifier: MIT

/// A list of up to 24 satellite numbers as sent. It is stored without heap allocation.
public struct SatelliteNumbers: Hashable, Sendable {
    private static let capacity = 24

    private var numbers = InlineArray<24, UInt16>(repeating: 0)

    /// The number of elements in the list.
    public private(set) var count = 0

    /// Creates an empty list.
    public init() {}

    /// Creates a list of at most 24 numbers. Further numbers are dropped.
    public init(_ numbers: some Sequence<Int>) {
        for number in numbers { append(number) }
    }

    /// Adds a number. The number is dropped if the list already contains 24, or if it is not a
    /// satellite number.
    @inline(__always)
    public mutating func append(_ number: Int) {
        guard count < Self.capacity, 1...999 ~= number else { return }
        numbers[count] = UInt16(number)
        count += 1
    }

    /// The number at an index, which must be less than `count`.
    public subscript(index: Int) -> Int {
        // Access through the span avoids a copy of all numbers.
        Int(numbers.span[index])
    }

    /// Returns whether both lists contain the same numbers in the same order.
    public static func == (a: Self, b: Self) -> Bool {
        a.count == b.count && (0..<a.count).allSatisfy { a[$0] == b[$0] }
    }

    /// Hashes the numbers.
    public func hash(into hasher: inout Hasher) {
        for index in 0..<count { hasher.combine(self[index]) }
    }
}
