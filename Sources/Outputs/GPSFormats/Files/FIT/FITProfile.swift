// SPDX-License-Identifier: MIT

/// The messages that are read or written, by their global number in FIT's profile.
enum FITMessage: UInt16, CaseIterable {
    case fileID = 0
    case session = 18
    case lap = 19
    case record = 20
    case event = 21
    case deviceInfo = 23
    case activity = 34

    /// The field number of the timestamp in every message.
    static let timestamp: UInt8 = 253
    /// The field number of the message index in laps and sessions.
    static let index: UInt8 = 254
}

/// The base type of a field.
enum FITType: UInt8 {
    case enumeration = 0x00
    case sint8 = 0x01
    case uint8 = 0x02
    case text = 0x07
    case uint8z = 0x0A
    case sint16 = 0x83
    case uint16 = 0x84
    case sint32 = 0x85
    case uint32 = 0x86
    case uint16z = 0x8B
    case uint32z = 0x8C

    /// The size of one value in bytes.
    var size: Int {
        switch self {
        case .enumeration, .sint8, .uint8, .text, .uint8z: 1
        case .sint16, .uint16, .uint16z: 2
        case .sint32, .uint32, .uint32z: 4
        }
    }

    /// Whether values are signed.
    var isSigned: Bool { self == .sint8 || self == .sint16 || self == .sint32 }

    /// The valid values.
    var range: ClosedRange<Int> {
        let limit = 1 << (8 * size)
        return switch self {
        case .sint8, .sint16, .sint32: -limit / 2...limit / 2 - 2
        case .enumeration, .uint8, .uint16, .uint32, .text: 0...limit - 2
        case .uint8z, .uint16z, .uint32z: 1...limit - 1
        }
    }

    /// The number that represents an unknown value.
    var invalid: Int {
        switch self {
        case .uint8z, .uint16z, .uint32z: 0
        default: range.upperBound + 1
        }
    }
}

/// Constants for FIT's times, which are seconds since 1989-12-31T00:00:00Z.
enum FITTime {
    /// The Unix time of 1989-12-31T00:00:00Z.
    static let epoch: Int64 = 631_065_600
    /// The times that are dates, from 1998-07-03 to 2126-02-06. Lower numbers are seconds since a
    /// device was switched on.
    static let dates: Range<Int64> = 0x1000_0000..<0xFFFF_FFFF
}

/// Conversions of FIT's angles, whose unit is the semicircle: 180 degrees divided by 2^31.
enum FITAngle {
    /// Returns the nearest number of semicircles for degrees from -180 to 180. 180 becomes -180.
    ///
    /// The angle is first rounded to nine decimals of a degree, as in other formats.
    static func semicircles(_ degrees: Double) -> Int {
        let number = Int(((degrees * 1e9).rounded() / 180e9 * 0x1p31).rounded())
        // This number represents an unknown value. The next lower one differs by 9 mm.
        if number == FITType.sint32.invalid { return number - 1 }
        return number > FITType.sint32.invalid ? number - 1 << 32 : number
    }

    /// Returns the degrees for a number of semicircles.
    static func degrees(_ semicircles: Int) -> Double {
        Double(semicircles) * 180 / 0x1p31
    }
}
