// SPDX-License-Identifier: MIT

/// Kinds of things that can be known of an epoch.
@usableFromInline
struct EpochFacts: OptionSet, Sendable {
    @usableFromInline var rawValue: UInt32

    @inlinable
    init(rawValue: UInt32) { self.rawValue = rawValue }

    @inlinable static var position: Self { Self(rawValue: 1 << 0) }
    @inlinable static var altitude: Self { Self(rawValue: 1 << 1) }
    @inlinable static var ellipsoidalAltitude: Self { Self(rawValue: 1 << 2) }
    @inlinable static var separation: Self { Self(rawValue: 1 << 3) }
    @inlinable static var speed: Self { Self(rawValue: 1 << 4) }
    @inlinable static var course: Self { Self(rawValue: 1 << 5) }
    @inlinable static var hdop: Self { Self(rawValue: 1 << 6) }
    @inlinable static var vdop: Self { Self(rawValue: 1 << 7) }
    @inlinable static var pdop: Self { Self(rawValue: 1 << 8) }
    @inlinable static var satelliteCount: Self { Self(rawValue: 1 << 9) }
    @inlinable static var standardDeviation: Self { Self(rawValue: 1 << 10) }
    @inlinable static var expectedError: Self { Self(rawValue: 1 << 11) }
    @inlinable static var receiverAccuracy: Self { Self(rawValue: 1 << 12) }
    @inlinable static var date: Self { Self(rawValue: 1 << 13) }
    @inlinable static var void: Self { Self(rawValue: 1 << 14) }
    @inlinable static var twoD: Self { Self(rawValue: 1 << 15) }
    @inlinable static var threeD: Self { Self(rawValue: 1 << 16) }
    @inlinable static var replacedMotion: Self { Self(rawValue: 1 << 17) }
    @inlinable static var replacedAltitude: Self { Self(rawValue: 1 << 18) }

    /// Whether a fact is known.
    @inlinable
    @inline(__always)
    func has(_ fact: Self) -> Bool { rawValue & fact.rawValue != 0 }

    /// Whether one of some facts is known.
    @inline(__always)
    func hasAny(of facts: Self) -> Bool { rawValue & facts.rawValue != 0 }

    /// Notes whether a fact is known.
    @inlinable
    @inline(__always)
    mutating func note(_ fact: Self, _ isKnown: Bool) {
        rawValue = isKnown ? rawValue | fact.rawValue : rawValue & ~fact.rawValue
    }
}
