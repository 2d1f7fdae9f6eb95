// SPDX-License-Identifier: MIT
public import GNSS

/// Writes sentences field by field in wire order, and adds checksum and line end.
///
/// Reading a written sentence restores its values: a number gets more than the default decimals, up
/// to nine, if that makes it exact. A number that is not exact with nine decimals is assumed to be
/// the result of a calculation, and is rounded to the default decimals. If `isExact` is `false`,
/// every number is rounded to the default decimals, as receivers do.
public struct SentenceWriter: Sendable {
    private var buffer = TextBuffer()

    /// The sentences written so far.
    public var bytes: [UInt8] { buffer.array }

    /// The default number of decimals of each quantity.
    package var decimals = SentenceDecimals()

    /// Whether a number is written with more than the default decimals if it needs them. Default:
    /// `true`.
    package var isExact = true

    /// Whether unit letters are written. Default: `true`; u-blox receivers omit them without a fix.
    package var writesUnits = true

    /// Creates an empty writer.
    public init() {}

    /// Writes a complete sentence. The talker is ignored for a proprietary sentence.
    ///
    /// - Parameters:
    ///   - sentence: The sentence.
    ///   - talker: The talker of the sentence. Default: `GN`.
    ///   - fieldCount: The number of fields to write, for an older version of NMEA 0183. Further
    ///     fields are omitted. Default: all.
    public mutating func write(
        _ sentence: some Sentence, talker: Talker = .gnss, fieldCount: Int? = nil
    ) {
        let start = begin()
        let formatter = type(of: sentence).formatter
        if formatter.proprietary == nil { buffer.append(text: talker.rawValue) }
        buffer.append(text: formatter.description)
        let fields = buffer.count
        sentence.encode(into: &self)
        if let fieldCount { buffer.truncate(from: fields, toFields: fieldCount) }
        end(from: start)
    }

    /// Writes a sentence that has no Swift type. `body` is the text from its address to its last
    /// field, such as `PMTK010,001`.
    public mutating func write(body: String) {
        let start = begin()
        buffer.append(text: body)
        end(from: start)
    }

    private mutating func begin() -> Int {
        buffer.append(UInt8(ascii: "$"))
        return buffer.count - 1
    }

    private mutating func end(from start: Int) {
        let sum = Self.checksum(buffer.bytes.extracting((start + 1)...))
        buffer.append(UInt8(ascii: "*"))
        append(hexadecimal: sum)
        buffer.append(0x0D)
        buffer.append(0x0A)
    }

    private static func checksum(_ body: Span<UInt8>) -> UInt8 {
        var sum: UInt8 = 0
        for index in body.indices { sum ^= body[index] }
        return sum
    }

    /// Removes everything written.
    public mutating func removeAll() {
        buffer.removeAll()
    }

    // MARK: Fields

    /// Writes `count` null fields.
    public mutating func skip(_ count: Int = 1) {
        for _ in 0..<count { buffer.append(UInt8(ascii: ",")) }
    }

    /// Writes a single character. A character that would end a field or a sentence is omitted.
    package mutating func letter(_ letter: UInt8?) {
        buffer.append(UInt8(ascii: ","))
        if let letter, Self.isLetter(letter) { buffer.append(letter) }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        0x20...0x7E ~= byte && byte != UInt8(ascii: ",") && byte != UInt8(ascii: "$")
            && byte != UInt8(ascii: "!")
    }

    /// Writes one mode letter for each constellation.
    mutating func modes(_ modes: ModeIndicators) {
        buffer.append(UInt8(ascii: ","))
        for index in 0..<modes.count { buffer.append(modes.letter(at: index)) }
    }

    /// Writes an integer, padded with zeros to `width` digits.
    package mutating func integer(_ value: Int?, width: Int = 1) {
        buffer.append(UInt8(ascii: ","))
        if let value { buffer.append(integer: value, width: width) }
    }

    /// Writes a hexadecimal digit: a system or signal ID.
    package mutating func hexadecimal(_ value: UInt8?) {
        buffer.append(UInt8(ascii: ","))
        guard let value else { return }
        buffer.append(hexadecimal: UInt64(value), width: 1, isUppercase: true)
    }

    /// Writes a number with at least `decimals` decimals.
    package mutating func decimal(_ value: Double?, decimals: Int, width: Int = 1) {
        buffer.append(UInt8(ascii: ","))
        guard let value else { return }
        buffer.append(fixed: value, decimals: count(decimals, of: value), width: width)
    }

    /// Writes a number and its unit letter.
    package mutating func decimal(_ value: Double?, decimals: Int, unit: Character) {
        decimal(value, decimals: decimals)
        self.unit(unit)
    }

    /// Writes a unit letter.
    package mutating func unit(_ unit: Character) {
        letter(writesUnits ? unit.asciiValue : nil)
    }

    /// Writes a field that consists of a prefix and a number, such as `EHT171.4`.
    package mutating func decimal(_ value: Double?, decimals: Int, after prefix: StaticString) {
        buffer.append(UInt8(ascii: ","))
        guard let value else { return }
        buffer.append(prefix)
        buffer.append(fixed: value, decimals: count(decimals, of: value))
    }

    /// Writes an angle in degrees. If `isExact` is `false`, an angle that would be rounded to 360
    /// is written as 0.
    mutating func bearing(_ value: Double?, decimals: Int, width: Int = 1) {
        guard !isExact, let value, value.isFinite else {
            return decimal(value, decimals: decimals, width: width)
        }
        let limit = 360 - 0.5 / Double(powerOfTen(SentenceDecimals.clamp(decimals)))
        decimal(value >= limit ? 0 : value, decimals: decimals, width: width)
    }

    /// Writes a course over ground in degrees.
    package mutating func course(_ value: Double?) { bearing(value, decimals: decimals.course) }

    /// Writes a speed. `value` is in the unit that is used on the wire.
    package mutating func speed(_ value: Double?) { decimal(value, decimals: decimals.speed) }

    /// Writes a dilution of precision.
    package mutating func dilution(_ value: Double?) { decimal(value, decimals: decimals.dilution) }

    /// Writes a standard deviation in metres.
    mutating func deviation(_ value: Double?) {
        decimal(value, decimals: decimals.deviation)
    }

    /// Writes a length in metres and its unit letter.
    package mutating func metres(_ value: Double?, decimals: Int) {
        decimal(value, decimals: decimals, unit: "M")
    }

    /// Writes a number in two fields: its absolute value, and a letter for its sign.
    package mutating func decimal(
        _ value: Double?, decimals: Int, plus: Character, minus: Character
    ) {
        decimal(value.map { abs($0) }, decimals: decimals)
        letter(value.flatMap { ($0 < 0 ? minus : plus).asciiValue })
    }

    /// Writes a time of day as `hhmmss.ss`.
    package mutating func time(_ time: TimeOfDay?) {
        buffer.append(UInt8(ascii: ","))
        guard let time else { return }
        append(pairs: time.hour, time.minute, time.second)
        var digits = SentenceDecimals.clamp(decimals.seconds)
        // Decimals are truncated, not rounded, so that a second never becomes 60.
        while isExact, time.nanosecond % powerOfTen(9 - digits) != 0 { digits += 1 }
        guard digits > 0 else { return }
        buffer.append(UInt8(ascii: "."))
        buffer.append(integer: time.nanosecond / powerOfTen(9 - digits), width: digits)
    }

    /// The years that can be written with two digits.
    private static let shortYears = 1980..<2080

    /// Writes a date as `ddmmyy`. For a year outside 1980 to 2079, writes an empty field, because
    /// two digits would mean another year.
    package mutating func date(_ date: CalendarDate?) {
        buffer.append(UInt8(ascii: ","))
        if let date, Self.shortYears.contains(date.year) {
            append(pairs: date.day, date.month, date.year % 100)
        }
    }

    /// Writes a date as `mmddyy`, the order that Trimble uses. For a year outside 1980 to 2079,
    /// writes an empty field.
    mutating func monthFirstDate(_ date: CalendarDate?) {
        buffer.append(UInt8(ascii: ","))
        if let date, Self.shortYears.contains(date.year) {
            append(pairs: date.month, date.day, date.year % 100)
        }
    }

    /// Writes a date as day, month and four-digit year in three fields.
    package mutating func longDate(_ date: CalendarDate?) {
        integer(date?.day, width: 2)
        integer(date?.month, width: 2)
        integer(date?.year, width: 4)
    }

    // MARK: Pieces

    mutating func append(_ byte: UInt8) { buffer.append(byte) }

    /// Appends three numbers with two digits each.
    private mutating func append(pairs first: Int, _ second: Int, _ third: Int) {
        buffer.append(integer: first, width: 2)
        buffer.append(integer: second, width: 2)
        buffer.append(integer: third, width: 2)
    }

    mutating func append(hexadecimal byte: UInt8) {
        buffer.append(hexadecimal: UInt64(byte), width: 2, isUppercase: true)
    }

    mutating func append(integer value: Int, width: Int) {
        buffer.append(integer: value, width: width)
    }

    /// Returns the smallest number of decimals, from `wanted` to nine, that makes the written value
    /// exact; `wanted` if none does. If necessary, fewer decimals are returned, so that the number
    /// has at most 18 digits: readers accept no more.
    private func count(_ wanted: Int, of value: Double) -> Int {
        guard isExact else { return SentenceDecimals.clamp(wanted) }
        let size = abs(value)
        // Above 2^53, every double is an integer.
        var usual = size < 0x1p53 ? max(0, min(18, wanted)) : 0
        while usual > 0, size * Double(powerOfTen(usual)) >= 1e18 { usual -= 1 }
        for count in usual..<max(10, usual + 1) {
            let scale = Double(powerOfTen(count))
            let scaled = (size * scale).rounded()
            if scaled < 1e18, scaled / scale == size { return count }
        }
        return usual
    }
}

extension TextBuffer {
    /// Removes the fields after the first `fieldCount` fields of the sentence that begins at
    /// `start`.
    fileprivate mutating func truncate(from start: Int, toFields fieldCount: Int) {
        var left = max(0, fieldCount)
        for index in start..<count where bytes[index] == UInt8(ascii: ",") {
            guard left > 0 else { return count = index }
            left -= 1
        }
    }
}

// Fixes and views that do not come from sentences are written in the way of common receivers: as
// NMEA 4.10, with the talker GN for a fix.
extension SentenceWriter {
    /// Writes a fix as ZDA, GGA, GSA and RMC, as GST if standard deviations are known, and as HDT if the
    /// true heading is.
    ///
    /// gpsd ends an epoch at the last sentence with a time, and gpsbabel at RMC, so both would give
    /// a position the time of another fix if RMC came first. ZDA gives the date to programs that
    /// use a position before RMC. It is written for each fix, also with null fields, so that it
    /// never belongs to the previous one. Without a date, gpsd ignores the time in RMC, so GLL
    /// follows.
    ///
    /// Missing values become null fields. An unknown number of satellites becomes 00, because
    /// readers such as gpsd need a number. Minutes of positions have eight decimals, and speeds in
    /// knots four. Therefore, reading restores positions to a billionth of a degree and speeds to 1
    /// mm/s.
    ///
    /// - Parameters:
    ///   - fix: The fix to write.
    ///   - used: The satellites that the fix uses, if known.
    public mutating func write(_ fix: Fix, used: SatelliteIDSet = SatelliteIDSet()) {
        let usual = decimals
        decimals.minutes = 8
        decimals.speed = 4
        decimals.course = 4
        decimals.altitude = 3
        decimals.separation = 3
        write(zda(fix))
        write(gga(fix))
        for gsa in gsas(fix, used) { write(gsa) }
        decimals.deviation = 3
        if let gst = gst(fix) { write(gst) }
        if let heading = fix.attitude.heading {
            var hdt = HDT()
            hdt.heading = heading
            write(hdt)
        }
        let rmc = rmc(fix)
        // pynmea2 takes a navigational status of V (not provided) for an invalid position, so that
        // field is omitted.
        write(rmc, fieldCount: 12)
        if rmc.date == nil, rmc.time != nil { write(gll(rmc)) }
        decimals = usual
    }

    private func rmc(_ fix: Fix) -> RMC {
        var rmc = RMC()
        rmc.time = fix.timeOfDay ?? fix.time?.time
        rmc.status = UInt8(ascii: fix.coordinate == nil ? "V" : "A")
        rmc.coordinate = fix.coordinate
        rmc.speedKnots = Knots.knots(metresPerSecond: fix.speed)
        rmc.course = fix.course
        rmc.date = fix.time?.date
        rmc.magneticVariation = fix.magneticVariation
        rmc.mode = fix.coordinate == nil ? .invalid : fix.quality
        return rmc
    }

    private func gll(_ rmc: RMC) -> GLL {
        var gll = GLL()
        (gll.coordinate, gll.time) = (rmc.coordinate, rmc.time)
        (gll.status, gll.mode) = (rmc.status, rmc.mode)
        return gll
    }

    private func zda(_ fix: Fix) -> ZDA {
        var zda = ZDA()
        zda.time = fix.timeOfDay ?? fix.time?.time
        zda.date = fix.time?.date
        return zda
    }

    private func gga(_ fix: Fix) -> GGA {
        var gga = GGA()
        gga.time = fix.timeOfDay ?? fix.time?.time
        gga.coordinate = fix.coordinate
        gga.quality = fix.coordinate == nil ? .invalid : fix.quality
        // Dead reckoning and an entered position use no satellites, so 00 would not be unknown.
        let usesNone = fix.quality == .estimated || fix.quality == .manual
        gga.satellites = fix.satellitesUsed ?? (usesNone ? nil : 0)
        // 00 beside a DOP would be a receiver without satellites. GSA has the DOP, too.
        if usesNone || fix.satellitesUsed != nil { gga.hdop = fix.dilution.hdop }
        gga.altitude = fix.altitude
        gga.geoidSeparation = fix.geoidSeparation
        gga.correctionAge = fix.correctionAge
        gga.station = fix.correctionStation
        return gga
    }

    /// Returns one GSA for each constellation in use, or a single one without satellites.
    private func gsas(_ fix: Fix, _ used: SatelliteIDSet) -> [GSA] {
        var common = GSA()
        common.selection = UInt8(ascii: "A")
        common.fix = fix.coordinate == nil ? .noFix : fix.mode
        common.pdop = fix.dilution.pdop
        common.hdop = fix.dilution.hdop
        common.vdop = fix.dilution.vdop
        let lists = Constellation.allCases.compactMap { constellation -> GSA? in
            guard let systemID = constellation.systemID else { return nil }
            let numbers = (1...255).lazy.compactMap { SatelliteID(constellation, $0) }
                .filter { used.contains($0) }.map(\.listedNumber)
            guard !numbers.isEmpty else { return nil }
            var gsa = common
            gsa.satellites = SatelliteNumbers(numbers.prefix(12))
            gsa.systemID = systemID
            return gsa
        }
        return lists.isEmpty ? [common] : lists
    }

    private func gst(_ fix: Fix) -> GST? {
        let sigma = fix.standardDeviation
        guard sigma.horizontal != nil || sigma.altitude != nil else { return nil }
        var gst = GST()
        gst.time = fix.timeOfDay ?? fix.time?.time
        gst.rangeResidual = sigma.range
        gst.semiMajor = sigma.semiMajor
        gst.semiMinor = sigma.semiMinor
        gst.orientation = sigma.orientation
        gst.latitudeError = sigma.latitude
        gst.longitudeError = sigma.longitude
        gst.altitudeError = sigma.altitude
        return gst
    }

    /// Writes the satellites in view as GSV, in one set for each constellation. SBAS is listed with
    /// GPS.
    public mutating func write(_ view: SatelliteView) {
        let satellites = view.satellites
        for constellation in Constellation.bySystemID {
            let talker = constellation.talker
            let listed = satellites.filter { $0.id.constellation.talker == talker }
            let total = (listed.count + 3) / 4
            for part in 0..<total {
                let entries = listed.dropFirst(4 * part).prefix(4).map {
                    GSV.Entry(
                        number: $0.id.listedNumber, elevation: $0.elevation, azimuth: $0.azimuth,
                        cn0: $0.cn0)
                }
                write(
                    GSV(total: total, part: part + 1, inView: listed.count, entries: entries),
                    talker: Talker(rawValue: talker))
            }
        }
    }
}

extension SentenceWriter {
    /// Writes the four fields of a position.
    package mutating func coordinate(_ coordinate: Coordinate?) {
        angle(coordinate?.latitude, width: 2, plus: UInt8(ascii: "N"), minus: UInt8(ascii: "S"))
        angle(coordinate?.longitude, width: 3, plus: UInt8(ascii: "E"), minus: UInt8(ascii: "W"))
    }

    /// An angle as whole degrees, whole minutes, and a fraction of a minute in units of the last
    /// decimal.
    private struct Minutes {
        let decimals: Int
        let degrees: Int
        let whole: Int
        let fraction: Int

        /// Splits an angle in degrees. It is rounded first, so that 59.999999 minutes become a
        /// degree instead of 60 minutes.
        init(_ size: Double, decimals: Int) {
            let unit = powerOfTen(decimals)
            let all = Int((size * 60 * Double(unit)).rounded())
            self.decimals = decimals
            degrees = all / (60 * unit)
            whole = all / unit % 60
            fraction = all % unit
        }

        /// The angle in degrees that results from reading the written field.
        var value: Double {
            let scale = Double(powerOfTen(decimals))
            return (Double(degrees * 60 + whole) * scale + Double(fraction)) / (60 * scale)
        }
    }

    private mutating func angle(_ degrees: Double?, width: Int, plus: UInt8, minus: UInt8) {
        guard let degrees, abs(degrees) <= 360 else { return skip(2) }
        let usual = SentenceDecimals.clamp(decimals.minutes)
        let size = abs(degrees)
        var minutes = Minutes(size, decimals: usual)
        for decimals in usual..<(isExact ? 10 : usual) {
            let candidate = Minutes(size, decimals: decimals)
            guard candidate.value == size else { continue }
            minutes = candidate
            break
        }
        append(UInt8(ascii: ","))
        append(integer: minutes.degrees, width: width)
        append(integer: minutes.whole, width: 2)
        if minutes.decimals > 0 {
            append(UInt8(ascii: "."))
            append(integer: minutes.fraction, width: minutes.decimals)
        }
        letter(degrees.sign == .minus ? minus : plus)
    }
}

extension SentenceWriter {
    /// Writes text. Characters that would end a field or a sentence, and non-ASCII Latin-1
    /// characters, are escaped as `^` and two hexadecimal digits. Other characters become a
    /// question mark.
    package mutating func text(_ text: String?) {
        append(UInt8(ascii: ","))
        for scalar in (text ?? "").unicodeScalars {
            guard let byte = UInt8(exactly: scalar.value) else {
                append(UInt8(ascii: "?"))
                continue
            }
            if Self.isPlain(byte) {
                append(byte)
            } else {
                append(UInt8(ascii: "^"))
                append(hexadecimal: byte)
            }
        }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: "*"), UInt8(ascii: "$"), UInt8(ascii: "!"),
            UInt8(ascii: "\\"), UInt8(ascii: "^"), UInt8(ascii: "~"):
            false
        default:
            0x20...0x7E ~= byte
        }
    }
}

/// The number of decimals of each quantity in written sentences. Values outside 0 to 9 are clamped.
package struct SentenceDecimals: Hashable, Sendable {
    /// The decimals of the seconds of a time.
    package var seconds: Int
    /// The decimals of the minutes of a coordinate. With 4 decimals the resolution is 18 cm, with 5
    /// it is 2 cm.
    package var minutes: Int
    package var speed: Int
    package var course: Int
    package var altitude: Int
    /// The decimals of a geoid separation.
    var separation: Int
    /// The decimals of a dilution of precision.
    package var dilution: Int
    /// The decimals of a standard deviation.
    var deviation: Int

    /// Creates the numbers of decimals. The defaults are those of a u-blox 8.
    package init(
        seconds: Int = 2, minutes: Int = 5, speed: Int = 3, course: Int = 2, altitude: Int = 1,
        separation: Int = 1, dilution: Int = 2, deviation: Int = 1
    ) {
        self.seconds = seconds
        self.minutes = minutes
        self.speed = speed
        self.course = course
        self.altitude = altitude
        self.separation = separation
        self.dilution = dilution
        self.deviation = deviation
    }

    /// Limits a number of decimals to 0 to 9.
    static func clamp(_ decimals: Int) -> Int { min(9, max(0, decimals)) }
}
