// SPDX-License-Identifier: MIT

/// A number or none, in the room of a number: an optional takes twice as much, and fixes are copied.
@usableFromInline
struct Reading: Hashable, Sendable {
    /// What is not a number stands for none.
    @usableFromInline var stored: Double

    /// None.
    @inlinable
    @inline(__always)
    init() { stored = .nan }

    @inlinable
    @inline(__always)
    init(_ value: Double?) { stored = value ?? .nan }

    /// The number.
    @usableFromInline var value: Double? {
        @inlinable @inline(__always)
        get { isKnown ? stored : nil }
        @inlinable @inline(__always)
        set { stored = newValue ?? .nan }
    }

    /// Whether there is a number.
    @inlinable
    @inline(__always)
    var isKnown: Bool { stored == stored }

    /// The same number, or none both times.
    @inlinable
    static func == (a: Self, b: Self) -> Bool { a.value == b.value }

    /// Hashes the number.
    @inlinable
    func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
