// SPDX-License-Identifier: MIT
import GNSS

/// The reference surface of the GNSS altitudes in a file.
enum IGCSurface {
    case geoid
    case ellipsoid
}

/// The columns of the supported extensions in B records, read from an I record.
///
///     I03 3639LAD 4043LOD 4446TDS (without the spaces)
struct IGCExtensions {
    /// The columns with further decimals of the latitude's minutes (`LAD`).
    private(set) var latitude: Range<Int>?
    /// The columns with further decimals of the longitude's minutes (`LOD`).
    private(set) var longitude: Range<Int>?
    /// The columns with the decimals of the second (`TDS`).
    private(set) var second: Range<Int>?

    /// Creates a list without extensions.
    init() {}

    /// The number of columns of a record with these extensions.
    var end: Int {
        [latitude, longitude, second].compactMap { $0?.upperBound }.max() ?? 0
    }

    /// Reads an I record. Spaces are ignored, and the number of extensions may have one digit or be
    /// missing if there is none. Returns `nil` if the record is malformed.
    init?(_ record: [UInt8]) {
        let line = record.filter { $0 != 0x20 }
        let fitting = [2, 1, 0].lazy.map { digits in
            (digits, IGCRecord.number(line, 1..<1 + digits) ?? .max)
        }.first { digits, count in count <= (line.count - 1 - digits) / 7 }
        guard let (digits, count) = fitting else { return nil }
        for index in 0..<count {
            let start = 1 + digits + 7 * index
            guard let first = IGCRecord.number(line, start..<start + 2),
                let last = IGCRecord.number(line, start + 2..<start + 4), first >= 36, last >= first
            else { return nil }
            let range = first - 1..<last
            switch String(decoding: line[start + 4..<start + 7], as: UTF8.self) {
            case "LAD": latitude = range
            case "LOD": longitude = range
            case "TDS": second = range
            default: break
            }
        }
    }
}

/// A fix in an IGC file (B record).
///
///     B HHMMSS DDMMmmmN DDDMMmmmE V PPPPP GGGGG (without the spaces)
///     B1200004812449N01621803WA0000000171
struct IGCRecord {
    let time: TimeOfDay
    let coordinate: Coordinate
    /// Whether the fix is 3D.
    let isValid: Bool
    /// The GNSS altitude in metres.
    let altitude: Double

    /// The length of a B record without extensions.
    private static let length = 35

    /// Reads a B record. Returns `nil` if its first 35 columns are too short or malformed.
    /// Extensions may be missing.
    init?(_ line: [UInt8], _ extensions: IGCExtensions) {
        guard line.count >= Self.length, let hour = Self.number(line, 1..<3),
            let minute = Self.number(line, 3..<5), let second = Self.number(line, 5..<7),
            let time = TimeOfDay(
                hour: hour, minute: minute, second: second,
                nanosecond: min(
                    999_999_999, Int((Self.decimals(line, extensions.second) * 1e9).rounded()))),
            let north = Self.angle(line, 7..<9, "N", "S", extensions.latitude),
            let east = Self.angle(line, 15..<18, "E", "W", extensions.longitude),
            let coordinate = Coordinate(checking: north, east),
            line[24] == UInt8(ascii: "A") || line[24] == UInt8(ascii: "V"),
            let altitude = Self.altitude(line)
        else { return nil }
        self.time = time
        self.coordinate = coordinate
        self.altitude = altitude
        isValid = line[24] == UInt8(ascii: "A")
    }

    /// Returns the date in an H record: six or eight digits, or a day, a month and a year with
    /// separators. A comma and the number of the flight may follow.
    static func date(header text: String) -> CalendarDate? {
        let groups = text.utf8.drop { !(0x30...0x39 ~= $0) }.prefix { $0 != UInt8(ascii: ",") }
            .split { !(0x30...0x39 ~= $0) }.map { Array($0) }
        guard groups.count >= 3, groups[0].count <= 2, groups[1].count <= 2 else {
            return groups.first.flatMap { date($0) }
        }
        let zero = UInt8(ascii: "0")
        let padded = groups[..<2].flatMap { $0.count < 2 ? [zero] + $0 : $0 }
        return date(padded + groups[2])
    }

    /// Returns the date for digits that begin with day, month and two or four digits of the year;
    /// `nil` if it does not exist. The number of the flight may follow.
    static func date(_ digits: [UInt8]) -> CalendarDate? {
        guard let day = number(digits, 0..<2), let month = number(digits, 2..<4) else { return nil }
        if digits.count == 8, let year = number(digits, 4..<8), 1980..<2100 ~= year {
            return CalendarDate(year: year, month: month, day: day)
        }
        guard let year = number(digits, 4..<6) else { return nil }
        return CalendarDate(year: (year < 80 ? 2000 : 1900) + year, month: month, day: day)
    }

    /// Returns the number in a range of columns; `nil` if the line is too short, or if there are
    /// characters other than digits.
    static func number(_ line: [UInt8], _ range: Range<Int>) -> Int? {
        guard range.upperBound <= line.count, range.count < 16 else { return nil }
        var number = 0
        for byte in line[range] {
            guard 0x30...0x39 ~= byte else { return nil }
            number = number * 10 + Int(byte) - 0x30
        }
        return number
    }

    /// Returns the digits in a range of columns as a fraction. Returns 0 without a range, and if
    /// they are not digits: the other columns don't need them.
    private static func decimals(_ line: [UInt8], _ range: Range<Int>?) -> Double {
        guard let range, let number = number(line, range) else { return 0 }
        return range.reduce(Double(number)) { fraction, _ in fraction / 10 }
    }

    /// Returns the angle in degrees; `nil` if it is malformed. The columns `degrees` are followed
    /// by the minutes and a letter; `further` are the columns with further decimals.
    private static func angle(
        _ line: [UInt8], _ degrees: Range<Int>, _ positive: Unicode.Scalar,
        _ negative: Unicode.Scalar, _ further: Range<Int>?
    ) -> Double? {
        let end = degrees.upperBound + 5
        guard let whole = number(line, degrees),
            let minutes = number(line, degrees.upperBound..<end), minutes <= 60_000,
            line[end] == UInt8(ascii: positive) || line[end] == UInt8(ascii: negative)
        else { return nil }
        // Some programs round up to the minute 60, which is the next degree.
        let rest = minutes == 60_000 ? 0 : decimals(line, further)
        let angle = Double(whole) + (Double(minutes) + rest) / 60_000
        return line[end] == UInt8(ascii: negative) ? -angle : angle
    }

    /// Returns the GNSS altitude in metres; `nil` if it is malformed. The first of its five
    /// characters may be a minus sign.
    private static func altitude(_ line: [UInt8]) -> Double? {
        let isNegative = line[30] == UInt8(ascii: "-")
        let metres = number(line, (isNegative ? 31 : 30)..<35)
        return metres.map { Double(isNegative ? -$0 : $0) }
    }
}
