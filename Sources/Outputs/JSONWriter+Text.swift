// SPDX-License-Identifier: MIT
import GNSS

/// What formats other than JSON write with it, too.
extension JSONWriter {
    /// A coordinate's half, to a billionth of a degree.
    @inline(__always)
    mutating func degrees(_ value: Double) {
        decimal(value, 9)
    }

    /// Up to 48 characters of ours.
    @inline(__always)
    mutating func put(_ piece: LongPiece) {
        put(piece.first)
        put(piece.second)
        put(piece.third)
    }

    /// `2026-03-23T12:35:19.000Z`.
    mutating func utc(_ instant: UTCTime) {
        let date = instant.date
        let time = instant.time
        padded(UInt64(date.year), 4)
        put(character: "-")
        padded(UInt64(date.month), 2)
        put(character: "-")
        padded(UInt64(date.day), 2)
        put(character: "T")
        padded(UInt64(time.hour), 2)
        put(character: ":")
        padded(UInt64(time.minute), 2)
        put(character: ":")
        padded(UInt64(time.second), 2)
        put(character: ".")
        padded(UInt64(time.nanosecond / 1_000_000), 3)
        put(character: "Z")
    }
}

extension Coordinate {
    /// The longitude from -180 up to, but not, 180, as it stands to nine decimals.
    var wrappedLongitude: Double {
        longitude >= 179.999_999_999_5 ? longitude - 360 : longitude
    }
}
