// SPDX-License-Identifier: MIT

/// Four counts up to 65 535 in one word.
///
/// A value that holds a span and has more than six words is destroyed by a call, although there is
/// nothing to destroy (Swift 6.3).
@usableFromInline
struct FourCounts: BitwiseCopyable, Sendable {
    @usableFromInline var word: UInt64

    @inlinable
    @inline(__always)
    init(_ first: Int, _ second: Int, _ third: Int, _ fourth: Int) {
        word =
            UInt64(UInt16(truncatingIfNeeded: first))
            | UInt64(UInt16(truncatingIfNeeded: second)) << 16
            | UInt64(UInt16(truncatingIfNeeded: third)) << 32
            | UInt64(UInt16(truncatingIfNeeded: fourth)) << 48
    }

    @inlinable @inline(__always) var first: Int { Int(word & 0xFFFF) }
    @inlinable @inline(__always) var second: Int {
        get { Int(word >> 16 & 0xFFFF) }
        set {
            let count = UInt64(UInt16(truncatingIfNeeded: newValue))
            word = word & 0xFFFF_FFFF_0000_FFFF | count << 16
        }
    }
    @inlinable @inline(__always) var third: Int { Int(word >> 32 & 0xFFFF) }
    @inlinable @inline(__always) var fourth: Int {
        get { Int(word >> 48) }
        set { word = word & 0xFFFF_FFFF_FFFF | UInt64(truncatingIfNeeded: newValue) << 48 }
    }
}
