// SPDX-License-Identifier: MIT
package import GNSS

/// Writes IGC, the format of flight recorders for gliders and paragliders.
///
/// With the extensions `LAD`, `LOD` and `TDS`, positions have seven decimals of a minute and times
/// have milliseconds. Altitudes are whole metres. The pressure altitude is 0 and declared as
/// missing, because a receiver has no barometer. There is no G record (security code), because only
/// an approved recorder can sign a flight.
package struct IGCFormat: OutputFormat, TextFormat, Equatable {
    /// The header of an IGC file contains the date.
    package static let traits = FormatTraits(
        name: "igc", extensions: ["igc"],
        summary: "IGC, for gliders and paragliders, without a G record", needsDate: true,
        canStore: canStore)

    private static let head = "AXXX000gpsbridge\r\n"
    /// The last line of the header: the I record, which defines the columns of the extensions.
    private static let extensions = "I033639LAD4043LOD4446TDS\r\n"
    private static let ellipsoid = "HFALGALTGPS:ELL\r\n"

    var text = TextBuffer()
    private var source = OutputSource()
    private var clock = IGCClock()
    /// The reference surface of the altitudes; `nil` before the header is written.
    private var surface: IGCSurface?
    /// Whether the last comments declare the data as simulated; `nil` if comments must be written
    /// before the next fix.
    private var isDeclaredSimulated: Bool?

    package init(_ metadata: OutputMetadata) {}

    /// Sets the source. Comments with its name and origin are written before the next fix.
    package mutating func begin(_ source: OutputSource) {
        self.source = source
        isDeclaredSimulated = nil
    }

    /// Returns whether a date is in the years 1980 to 2079. The format has only two digits for the
    /// year.
    private static func canStore(_ date: UTCTime) -> Bool {
        1980..<2080 ~= date.withoutLeapSecond.date.year
    }

    /// Writes a B record. Fixes without a date, or with one that IGC cannot store, are omitted.
    package mutating func write(_ fix: Fix) {
        guard let position = fix.coordinate, position.isValid,
            let instant = fix.time?.withoutLeapSecond, Self.canStore(instant)
        else { return }
        let surface = surface ?? writeHead(fix, instant.date)
        if clock.date(at: instant.time) != instant.date { writeDate(instant.date) }
        _ = clock.advance(to: instant.time)
        writeComments(isSimulated: source.isSimulated(fix))
        let altitude = surface == .geoid ? fix.altitude : fix.ellipsoidalAltitude
        let known = fix.mode == .threeD ? altitude : nil
        let metres = known.map { $0.rounded() }.flatMap { -9999...99_999 ~= $0 ? Int($0) : nil }
        writeRecord(instant.time, position, metres)
    }

    /// Returns whether the altitude of a 3D fix is known only above another surface than the one
    /// that the header declares.
    package func losesAltitude(of fix: Fix) -> Bool {
        guard fix.mode == .threeD, let surface else { return false }
        return switch surface {
        case .geoid: fix.altitude == nil && fix.ellipsoidalAltitude != nil
        case .ellipsoid: fix.ellipsoidalAltitude == nil && fix.altitude != nil
        }
    }

    // MARK: Header

    private mutating func writeHead(_ fix: Fix, _ date: CalendarDate) -> IGCSurface {
        let isEllipsoidal = fix.altitude == nil && fix.ellipsoidalAltitude != nil
        let surface = isEllipsoidal ? IGCSurface.ellipsoid : .geoid
        self.surface = surface
        text.append(text: Self.head)
        writeDate(date)
        text.append("HFDTM100GPSDATUM:WGS-1984\r\nHFFTYFRTYPE:gpsbridge\r\n")
        text.append(text: isEllipsoidal ? Self.ellipsoid : "HFALGALTGPS:GEO\r\n")
        text.append("HFALPALTPRESSURE:NIL\r\n")
        text.append(text: Self.extensions)
        return surface
    }

    private mutating func writeDate(_ date: CalendarDate) {
        clock.set(date)
        text.append("HFDTE")
        for number in [date.day, date.month, date.year % 100] {
            text.append(integer: number, width: 2)
        }
        text.append("\r\n")
    }

    private mutating func writeComments(isSimulated: Bool) {
        guard isDeclaredSimulated != isSimulated else { return }
        isDeclaredSimulated = isSimulated
        text.append("LXXXsource: ")
        for scalar in source.name.unicodeScalars.prefix(60) {
            // Reserved characters and those outside printable ASCII are not allowed.
            let isAllowed =
                0x20..<0x7F ~= scalar.value && !"$*!\\^~".unicodeScalars.contains(scalar)
            text.append(character: isAllowed ? scalar : "?")
        }
        text.append("\r\nLXXXorigin: ")
        text.append(text: source.originName(isSimulated: isSimulated))
        text.append("\r\n")
    }

    // MARK: Fixes

    /// Writes a B record. If `metres` is `nil`, it is a 2D fix (`V`), whose altitude must be 0.
    private mutating func writeRecord(_ time: TimeOfDay, _ position: Coordinate, _ metres: Int?) {
        text.append("B")
        for number in [time.hour, time.minute, time.second] {
            text.append(integer: number, width: 2)
        }
        let latitude = writeAngle(position.latitude, degrees: 2)
        text.append(position.latitude < 0 ? "S" : "N")
        let longitude = writeAngle(position.longitude, degrees: 3)
        text.append(position.longitude < 0 ? "W" : "E")
        text.append(metres == nil ? "V00000" : "A00000")
        let metres = metres ?? 0
        text.append(integer: metres, width: metres < 0 ? 4 : 5)
        text.append(integer: latitude, width: 4)
        text.append(integer: longitude, width: 4)
        text.append(integer: time.nanosecond / 1_000_000, width: 3)
        text.append("\r\n")
    }

    /// Writes whole degrees and minutes with three decimals. Returns the next four decimals of the
    /// minutes, for an extension.
    ///
    /// The angle is first rounded to nine decimals of a degree, as in other formats.
    private mutating func writeAngle(_ angle: Double, degrees width: Int) -> Int {
        let all = Int(((angle.magnitude * 1e9).rounded() * 0.6).rounded())
        text.append(integer: all / 600_000_000, width: width)
        text.append(integer: all % 600_000_000 / 10_000, width: 5)
        return all % 10_000
    }

    // MARK: Output

    /// Continues after the last complete record. The date is written again. A file that was
    /// truncated within its header is rewritten from the start.
    package mutating func resume(head: [UInt8], end: [UInt8]) -> Int? {
        let kept = FileEnd.resume(head, end, start: Self.head)
        guard let kept, kept > 0 else { return kept }
        guard head.firstRange(of: Array(Self.extensions.utf8)) != nil else { return 0 }
        let isEllipsoidal = head.firstRange(of: Array(Self.ellipsoid.utf8)) != nil
        surface = isEllipsoidal ? .ellipsoid : .geoid
        return kept
    }
}

/// Determines the dates of IGC fixes, which have only a time of day. The date of a fix is the date
/// of the last `HFDTE` record, plus a day for each midnight since then.
private struct IGCClock: Equatable {
    private static let halfDay: Int64 = 43_200_000_000_000

    private static let hour: Int64 = 3_600_000_000_000

    private var date: CalendarDate?
    private var last: TimeOfDay?
    /// Whether the date of the next day was written before midnight.
    private var isEarly = false

    /// Sets the date of the next fix; `nil` if it is unknown.
    mutating func set(_ date: CalendarDate?) {
        // Some recorders write the new date some seconds before midnight.
        isEarly = last != nil && date != nil && date == self.date?.adding(days: 1)
        guard !isEarly else { return }
        self.date = date
        last = nil
    }

    /// Returns the date of the next fix without advancing to it; `nil` if unknown. A time more than
    /// twelve hours before the last one is on the next day.
    func date(at time: TimeOfDay) -> CalendarDate? {
        guard let last else { return date }
        let since = time.nanoseconds - last.nanoseconds
        if isEarly {
            let isBefore = 0..<Self.hour ~= since && time.nanoseconds >= 23 * Self.hour
            return isBefore ? date : date?.adding(days: 1)
        }
        return since < -Self.halfDay ? date?.adding(days: 1) : date
    }

    /// Advances to the next fix. Returns its date; `nil` if unknown.
    mutating func advance(to time: TimeOfDay) -> CalendarDate? {
        let date = date(at: time)
        if date != self.date { isEarly = false }
        (self.date, last) = (date, time)
        return date
    }
}

/// Reads the fixes of IGC files: B records, with the extensions `LAD`, `LOD` and `TDS`.
///
/// The GNSS altitude is above the ellipsoid, as the format specifies, unless the header declares
/// the geoid (`HFALGALTGPS:GEO`) or that there is none (`HFALGALTGPS:NIL`), or it is 0 throughout.
/// The pressure altitude is not used. A `V` record (not 3D) may repeat the last position, so it ends the segment. In
/// files written by gpsbridge, it is a 2D fix. A malformed B record is skipped and counted, unless
/// the file is cut off in it.
package struct IGCInput: InputReader {
    private static let maximumLineLength = 1024
    /// The longest time between a `V` record and the next fix for which the time of the `V` record is
    /// assumed to be current, in nanoseconds.
    private static let longestLoss: Int64 = 3_600_000_000_000

    private let file: String
    private var number = 1
    private var line: [UInt8] = []
    private var clock = IGCClock()
    /// The clock advanced by the `V` records since the last fix, and the time of the last of them.
    private var unconfirmed: (clock: IGCClock, last: TimeOfDay)?
    private var extensions = IGCExtensions()
    private var isOurs = false
    /// Whether the file has a GNSS altitude other than 0. Recorders without one write 0 throughout.
    private var hasAltitude = false
    /// The surface that the header declares; `nil` if there is no GNSS altitude.
    private var surface: IGCSurface? = .ellipsoid
    private var isSimulated = false
    package private(set) var leftOut = LeftOut()

    package init(file: String) {
        self.file = file
    }

    package var formatName: String { "IGC" }

    package mutating func push(
        _ bytes: ArraySlice<UInt8>, _ receive: (InputEvent) -> Void
    ) throws(InputError) {
        for byte in bytes {
            guard byte == 0x0A else {
                // What is read is at the start of a record. Comments may be longer.
                if line.count < Self.maximumLineLength { line.append(byte) }
                continue
            }
            endLine(receive)
            number += 1
        }
    }

    package mutating func finish(_ receive: (InputEvent) -> Void) throws(InputError) {
        if line.first == UInt8(ascii: "B"),
            IGCRecord(line, extensions) == nil || line.count < extensions.end
        {
            throw InputError(file, line: number, "not a fix: \"\(text.prefix(40))\"")
        }
        endLine(receive)
    }

    private mutating func endLine(_ receive: (InputEvent) -> Void) {
        defer { line.removeAll(keepingCapacity: true) }
        while let last = line.last, last == 0x0D || last == 0x20 { line.removeLast() }
        switch line.first {
        case UInt8(ascii: "A"): isOurs = line.dropFirst(7).elementsEqual("gpsbridge".utf8)
        case UInt8(ascii: "H"): readHeader()
        case UInt8(ascii: "I"):
            guard let read = IGCExtensions(line) else {
                return leftOut.add(Self.extensionList, line: number, text)
            }
            extensions = read
        case UInt8(ascii: "L"): readComment()
        case UInt8(ascii: "B"):
            guard let record = IGCRecord(line, extensions) else {
                return leftOut.add(Self.record, line: number, text)
            }
            receive(event(record))
        default: break
        }
    }

    /// Returns whether a line is a B record.
    package static func isRecord(_ line: ArraySlice<UInt8>) -> Bool {
        line.first == UInt8(ascii: "B") && IGCRecord(Array(line), IGCExtensions()) != nil
    }

    private static let extensionList = LeftOut.Reason("list", "of extensions in an unknown form")
    private static let date = LeftOut.Reason("date", "outside the calendar")
    private static let record = LeftOut.Reason(
        "B record", "in an unknown form", isPosition: true)

    private var text: String { String(decoding: line, as: UTF8.self) }

    /// Reads an H record with the date (`HFDTE210326` or `HFDTEDATE:210326,01`, perhaps with
    /// separators) or the reference surface of altitudes.
    private mutating func readHeader() {
        let text = String(decoding: line.dropFirst(2), as: UTF8.self)
        if text.hasPrefix("DTE") {
            let date = IGCRecord.date(header: text)
            if date == nil { leftOut.add(Self.date, line: number, self.text) }
            clock.set(date)
            unconfirmed = nil
        } else if text.hasPrefix("ALG") {
            surface =
                text.hasSuffix("NIL") ? nil : text.hasSuffix("GEO") ? .geoid : .ellipsoid
        }
    }

    private mutating func readComment() {
        let text = String(decoding: line.dropFirst(4), as: UTF8.self)
        if text.hasPrefix("origin: ") { isSimulated = text == "origin: simulated" }
    }

    private mutating func event(_ record: IGCRecord) -> InputEvent {
        guard record.isValid || isOurs else {
            // Such a record may repeat an old time, which would change the date of the next fix.
            var clock = unconfirmed?.clock ?? self.clock
            _ = clock.advance(to: record.time)
            unconfirmed = (clock, record.time)
            return .segment
        }
        if let (clock, last) = unconfirmed,
            0...Self.longestLoss ~= record.time.nanoseconds(since: last)
        {
            self.clock = clock
        }
        unconfirmed = nil
        let date = clock.advance(to: record.time)
        var fix = Fix()
        fix.timeOfDay = record.time
        fix.time = date.map { UTCTime(date: $0, time: record.time) }
        fix.coordinate = record.coordinate
        if record.altitude != 0 || isOurs { hasAltitude = true }
        switch record.isValid && hasAltitude ? surface : nil {
        case .geoid: fix.altitude = record.altitude
        case .ellipsoid: fix.ellipsoidalAltitude = record.altitude
        case nil: break
        }
        fix.complete(mode: nil, quality: isSimulated ? .simulated : nil)
        return .fix(fix)
    }
}

/// The reference surface of the GNSS altitudes in a file.
private enum IGCSurface {
    case geoid
    case ellipsoid
}

/// The columns of the supported extensions in B records, read from an I record.
///
///     I03 3639LAD 4043LOD 4446TDS (without the spaces)
private struct IGCExtensions {
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
private struct IGCRecord {
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
        guard line.count >= Self.length, let time = Self.time(line, extensions.second),
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

    /// Returns the time of day; `nil` if it is malformed. `further` are the columns with the decimals
    /// of the second. 23:59:60 is a leap second.
    private static func time(_ line: [UInt8], _ further: Range<Int>?) -> TimeOfDay? {
        guard let hour = number(line, 1..<3), let minute = number(line, 3..<5),
            let second = number(line, 5..<7)
        else { return nil }
        let nanosecond = min(999_999_999, Int((decimals(line, further) * 1e9).rounded()))
        if let time = TimeOfDay(
            hour: hour, minute: minute, second: second, nanosecond: nanosecond)
        {
            return time
        }
        // Some programs round up to the second 60, which is the next minute.
        guard second == 60, let start = TimeOfDay(hour: hour, minute: minute, second: 0) else {
            return nil
        }
        return TimeOfDay(wrapping: start.nanoseconds + 60_000_000_000)
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
