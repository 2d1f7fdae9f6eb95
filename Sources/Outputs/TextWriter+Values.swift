// SPDX-License-Identifier: MIT
import GNSS

/// What formats have in common: places, times, long pieces.
extension TextWriter {
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
        let day = Digits(UInt64((date.year * 100 + date.month) * 100 + date.day)).last(8)
        put(day, 4)
        put(character: "-")
        put(day >> 32, 2)
        put(character: "-")
        put(day >> 48, 2)
        put(character: "T")
        let time = instant.time
        let clock = Digits(UInt64((time.hour * 100 + time.minute) * 100 + time.second)).last(6)
        put(clock, 2)
        put(character: ":")
        put(clock >> 16, 2)
        put(character: ":")
        put(clock >> 32, 2)
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
