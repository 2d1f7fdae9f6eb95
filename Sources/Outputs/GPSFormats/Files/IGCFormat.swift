// SPDX-License-Identifier: MIT
public import GNSS

/// Writes IGC, the format of flight recorders for gliders and paragliders.
///
/// With the extensions `LAD`, `LOD` and `TDS`, positions have seven decimals of a minute and times
/// have milliseconds. Altitudes are whole metres. The pressure altitude is 0 and declared as
/// missing, because a receiver has no barometer. There is no G record (security code), because only
/// an approved recorder can sign a flight.
public struct IGCFormat: OutputFormat, TextFormat, Equatable {
    /// The name `igc`.
    public static let name = "igc"
    /// The extension `igc`.
    public static let fileExtensions = ["igc"]
    /// The description in `--help`.
    public static let summary = "IGC, for gliders and paragliders, without a G record"
    /// The header of an IGC file contains the date.
    public static let needsDate = true

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

    /// Creates a writer.
    public init() {}

    /// Sets the source. Comments with its name and origin are written before the next fix.
    public mutating func begin(_ source: OutputSource) {
        self.source = source
        isDeclaredSimulated = nil
    }

    /// Returns whether a date is in the years 1980 to 2079. The format has only two digits for the
    /// year.
    public static func canStore(_ date: UTCTime) -> Bool {
        1980..<2080 ~= date.withoutLeapSecond.date.year
    }

    /// Writes a B record. Fixes without a date, or with one that IGC cannot store, are omitted.
    public mutating func write(_ fix: Fix) {
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
    public func losesAltitude(of fix: Fix) -> Bool {
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
    public mutating func resume(head: [UInt8], end: [UInt8]) -> Int? {
        let kept = FileEnd.resume(head, end, start: Self.head)
        guard let kept, kept > 0 else { return kept }
        guard head.firstRange(of: Array(Self.extensions.utf8)) != nil else { return 0 }
        let isEllipsoidal = head.firstRange(of: Array(Self.ellipsoid.utf8)) != nil
        surface = isEllipsoidal ? .ellipsoid : .geoid
        return kept
    }
}
