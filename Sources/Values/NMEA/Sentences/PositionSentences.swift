// SPDX-License-Identifier: MIT
public import GNSS

/// Datum of the reported positions.
///
///     $--DTM,ccc,a,x.x,a,x.x,a,x.x,ccc*hh
///     $GPDTM,999,CH95,0.08,N,0.07,E,-47.7,W84*1C
package struct DTM: DatumSentence, Hashable {
    package static let formatter: SentenceFormatter = "DTM"
    /// All fields are required.
    package static let minimumFieldCount = 8

    /// The local datum: `W84`, `W72`, `S85`, `P90`, `999` for a user-defined datum, or an IHO code.
    package var localDatum: String?
    /// The subdivision code of the local datum.
    package var subcode: String?
    /// The offset of the latitude in minutes; positive to the north.
    package var latitudeOffset: Double?
    /// The offset of the longitude in minutes; positive to the east.
    package var longitudeOffset: Double?
    /// The offset of the altitude in metres.
    package var altitudeOffset: Double?
    /// The datum that the offsets refer to.
    package var referenceDatum: String?

    package init() {}

    package mutating func fields(_ coder: inout some FieldCoder) {
        coder.text(&localDatum)
        coder.text(&subcode)
        coder.decimal(&latitudeOffset, plus: "N", minus: "S", decimals: 3)
        coder.decimal(&longitudeOffset, plus: "E", minus: "W", decimals: 3)
        coder.decimal(&altitudeOffset)
        coder.text(&referenceDatum)
    }

    /// The name of the local datum if positions in it differ from those in WGS 84; `nil` otherwise.
    package var otherDatum: String? {
        guard let localDatum, localDatum != "W84", localDatum != "WGS84" else { return nil }
        if referenceDatum == "W84", latitudeOffset == 0, longitudeOffset == 0 { return nil }
        return subcode.map { "\(localDatum) \($0)" } ?? localDatum
    }
}

extension DTM {
    /// The name of the local datum in gpsd's JSON.
    package var datumName: String? {
        switch localDatum {
        case "W84": "WGS84"
        case "W72": "WGS72"
        case "S85": "SGS85"
        case "P90": "PE90"
        case "999": "User Defined"
        default: localDatum
        }
    }
}

/// A sentence that reports the datum of the positions.
protocol DatumSentence: DeclaredSentence {
    /// The name of the datum in gpsd's JSON.
    var datumName: String? { get }

    /// The name of the datum if positions in it differ from those in WGS 84; `nil` otherwise.
    var otherDatum: String? { get }
}

extension DatumSentence {
    /// Reads the sentence, and records the datum of the positions.
    package static func receive(
        _ fields: inout FieldReader, into assembler: inout FixAssembler
    ) throws(NMEAError) {
        let sentence = try Self(&fields)
        assembler.otherDatum = sentence.otherDatum
        assembler.datum = sentence.datumName
        assembler.receive(sentence, from: fields.address)
    }
}

/// Fix data: position, quality, satellites used and altitude.
///
///     $--GGA,hhmmss.ss,ddmm.mm,a,dddmm.mm,a,x,xx,x.x,x.x,M,x.x,M,x.x,xxxx*hh
///     $GNGGA,101520.00,4812.50000,N,01622.42000,E,2,12,0.70,171.4,M,43.1,M,,0000*4C
public struct GGA: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "GGA"
    /// All fields up to the quality are required.
    public static let minimumFieldCount = 6

    /// The UTC time of the fix.
    public var time: TimeOfDay?
    /// The position, in degrees.
    public var coordinate: Coordinate?
    /// The quality, 0 to 8. NovAtel's quality 9, a fix with corrections from SBAS, is read as 2;
    /// any other value as `nil`. The altitude of such a sentence is used if another sentence
    /// reports a fix.
    public var quality: FixQuality?
    /// The number of satellites used. Depending on the receiver, only those of the talker's
    /// constellation are counted.
    public var satellites: Int?
    /// The horizontal dilution of precision.
    public var hdop: Double?
    /// The altitude in metres above mean sea level.
    public var altitude: Double?
    /// The height of mean sea level above the ellipsoid, in metres.
    public var geoidSeparation: Double?
    /// The time since the last correction, in seconds.
    public var correctionAge: Double?
    /// The id of the reference station that sends the corrections.
    public var station: Int?

    public init() {}

    // Specialised here, because other modules call the generic `init(_:)` 1.5 times as slowly.
    public init(_ fields: inout FieldReader) throws(NMEAError) {
        self.init()
        self.fields(&fields)
    }

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.time(&time)
        coder.coordinate(&coordinate)
        coder.field(&quality) {
            Self.quality(&$0)
        } write: {
            $0.integer($1.map { Int($0.rawValue) })
        }
        coder.integer(&satellites, width: 2)
        coder.dilution(&hdop)
        coder.field(&altitude) {
            $0.metres()
        } write: {
            $0.metres($1, decimals: $0.decimals.altitude)
        }
        coder.field(&geoidSeparation) {
            $0.metres()
        } write: {
            $0.metres($1, decimals: $0.decimals.separation)
        }
        coder.decimal(&correctionAge, in: 0...1e9)
        coder.integer(&station, width: 4)
    }

    private static func quality(_ fields: inout FieldReader) -> FixQuality? {
        guard let number = fields.integer().flatMap(UInt8.init(exactly:)) else { return nil }
        return number == 9 ? .differential : FixQuality(rawValue: number)
    }

    public var timing: EpochTiming { .opens(time) }

    /// Sets position, altitude and quality.
    public func contribute(to epoch: inout Epoch) {
        // If the position is that of another receiver, the other values are not used either.
        if let quality, quality != .invalid { epoch.fill(\.coordinate, coordinate) }
        guard quality == .invalid || epoch.takesGGA() else { return }
        let most = epoch.fix.satellitesUsed ?? 0
        epoch.fill(\.satellitesUsed, satellites.map { max($0, most) })
        epoch.fill(totalHDOP: hdop)
        guard quality != .invalid else { return epoch.reportNoFix() }
        if quality != nil || coordinate != nil {
            epoch.fill(\.altitude, altitude)
            epoch.fill(\.geoidSeparation, geoidSeparation)
        }
        guard let quality else { return }
        epoch.fill(correctionAge: correctionAge, station: station, of: quality)
        // Fewer than three satellites are no evidence of a fix: some receivers count wrongly, and
        // some have lost the fix. Only the count of a single constellation may be that small. 0
        // without a DOP is an unknown number.
        let isUnknown = satellites == nil || satellites == 0 && hdop == nil
        guard
            !epoch.address.countsWholeFix || isUnknown || (satellites ?? 0) >= 3
                || quality.rawValue > 5
        else {
            return
        }
        epoch.reportFix(satellites: satellites)
        epoch.fill(quality: quality)
    }
}

extension Address {
    /// Whether a GGA with this talker counts all satellites of the fix. This is assumed for the
    /// talkers GP and GN.
    fileprivate var countsWholeFix: Bool {
        talkerKey == Address.key("G", "P") || talkerKey == Address.key("G", "N")
    }
}

/// Position.
///
///     $--GLL,ddmm.mm,a,dddmm.mm,a,hhmmss.ss,A,a*hh
///     $GNGLL,4812.50000,N,01622.42000,E,101520.00,A,D*7E
public struct GLL: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "GLL"
    /// Latitude, N or S, longitude, and E or W are required.
    public static let minimumFieldCount = 4

    /// The position, in degrees.
    public var coordinate: Coordinate?
    /// The UTC time of the fix (NMEA 2.0).
    public var time: TimeOfDay?
    /// The status: `A` valid, `V` not valid (NMEA 2.0). A position without a status does not count
    /// as a fix.
    public var status: UInt8?
    /// The mode indicator: how the position was determined (NMEA 2.3).
    public var mode: FixQuality?

    public init() {}

    // Specialised here, because other modules call the generic `init(_:)` 1.5 times as slowly.
    public init(_ fields: inout FieldReader) throws(NMEAError) {
        self.init()
        self.fields(&fields)
    }

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.coordinate(&coordinate)
        coder.time(&time)
        coder.letter(&status)
        coder.mode(&mode)
    }

    public var timing: EpochTiming { .opens(time) }

    /// Sets the position if the sentence is valid. Without a time, it does not replace the position
    /// of a sentence with a time, because it may belong to the next fix and is often rounded.
    public func contribute(to epoch: inout Epoch) {
        guard let status else { return }
        guard status == UInt8(ascii: "A"), mode != .invalid else { return epoch.reportNoFix() }
        epoch.reportFix()
        let isOfEpoch = time != nil || epoch.fix.timeOfDay == nil
        if isOfEpoch || epoch.fix.coordinate == nil { epoch.fill(\.coordinate, coordinate) }
        epoch.fill(quality: mode)
    }
}

/// Fix data from several constellations.
///
///     $--GNS,hhmmss.ss,ddmm.mm,a,dddmm.mm,a,c--c,xx,x.x,x.x,x.x,x.x,xxxx,a*hh
///     $GNGNS,101520.00,4812.50000,N,01622.42000,E,DAAN,12,0.70,171.4,43.1,,0000,V*15
public struct GNS: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "GNS"
    /// All fields up to the modes are required.
    public static let minimumFieldCount = 6

    /// The UTC time of the fix.
    public var time: TimeOfDay?
    /// The position, in degrees.
    public var coordinate: Coordinate?
    /// The mode of each constellation.
    package var modes = ModeIndicators()
    /// The number of satellites used.
    public var satellites: Int?
    /// The horizontal dilution of precision.
    public var hdop: Double?
    /// The altitude in metres above mean sea level.
    public var altitude: Double?
    /// The height of mean sea level above the ellipsoid, in metres.
    public var geoidSeparation: Double?
    /// The time since the last correction, in seconds.
    public var correctionAge: Double?
    /// The id of the reference station that sends the corrections.
    public var station: Int?
    /// The navigational status: `S` safe, `C` caution, `U` unsafe, `V` not provided (NMEA 4.10).
    public var navigationStatus: UInt8?

    public init() {}

    // Specialised here, because other modules call the generic `init(_:)` 1.5 times as slowly.
    public init(_ fields: inout FieldReader) throws(NMEAError) {
        self.init()
        self.fields(&fields)
    }

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.time(&time)
        coder.coordinate(&coordinate)
        coder.field(&modes, read: { $0.modes() }, write: { $0.modes($1) })
        coder.integer(&satellites, width: 2)
        coder.dilution(&hdop)
        coder.field(&altitude) {
            $0.decimal()
        } write: {
            $0.decimal($1, decimals: $0.decimals.altitude)
        }
        coder.decimal(&geoidSeparation)
        coder.decimal(&correctionAge, in: 0...1e9)
        coder.integer(&station, width: 4)
        coder.letter(&navigationStatus)
    }

    public var timing: EpochTiming { .opens(time) }

    /// Sets position, altitude, and the best quality of all constellations. A sentence of one
    /// constellation that follows that of all, as the standard describes it, has no modes: it only
    /// adds the corrections.
    public func contribute(to epoch: inout Epoch) {
        if modes.hasFix { epoch.fill(\.coordinate, coordinate) }
        let most = epoch.fix.satellitesUsed ?? 0
        epoch.fill(\.satellitesUsed, satellites.map { max($0, most) })
        epoch.fill(totalHDOP: hdop)
        guard modes.count > 0 else {
            return epoch.fill(
                correctionAge: correctionAge, station: station, of: epoch.fix.quality)
        }
        guard modes.hasFix else { return epoch.reportNoFix() }
        epoch.fill(\.altitude, altitude)
        epoch.fill(\.geoidSeparation, geoidSeparation)
        epoch.reportFix(satellites: satellites)
        var quality = FixQuality.invalid
        for index in 0..<modes.count {
            let mode = FixQuality(modeLetter: modes.letter(at: index)) ?? .invalid
            if mode.rank > quality.rank { quality = mode }
        }
        epoch.fill(quality: quality)
        epoch.fill(correctionAge: correctionAge, station: station, of: quality)
    }
}

/// Recommended minimum: time with date, position, speed and course.
///
///     $--RMC,hhmmss.ss,A,ddmm.mm,a,dddmm.mm,a,x.x,x.x,ddmmyy,x.x,a,a,a*hh
///     $GNRMC,101520.00,A,4812.50000,N,01622.42000,E,1.234,54.31,210326,,,D,V*30
public struct RMC: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "RMC"
    /// All fields up to the date are required.
    public static let minimumFieldCount = 9

    /// The UTC time of the fix.
    public var time: TimeOfDay?
    /// The status: `A` valid, `V` not valid. Unicore's receivers send `D` instead of `A` while they
    /// use corrections.
    public var status: UInt8?
    /// The position, in degrees.
    public var coordinate: Coordinate?
    /// The speed over ground, in knots.
    public var speedKnots: Double?
    /// The course over ground, in degrees true.
    public var course: Double?
    /// The UTC date.
    public var date: CalendarDate?
    /// The magnetic variation in degrees, positive to the east. Add it to a magnetic direction to
    /// get the true one.
    public var magneticVariation: Double?
    /// The mode indicator: how the position was determined (NMEA 2.3).
    public var mode: FixQuality?
    /// The navigational status: `S` safe, `C` caution, `U` unsafe, `V` not provided (NMEA 4.10).
    public var navigationStatus: UInt8?

    public init() {}

    public init(_ fields: inout FieldReader) throws(NMEAError) {
        begin(&fields)
        if fields.count == 11 { readShortEnd(&fields) } else { end(&fields) }
    }

    public mutating func fields(_ coder: inout some FieldCoder) {
        begin(&coder)
        end(&coder)
    }

    private mutating func begin(_ coder: inout some FieldCoder) {
        coder.time(&time)
        coder.letter(&status)
        coder.coordinate(&coordinate)
        coder.speed(&speedKnots, in: Knots.range)
        coder.course(&course)
        coder.date(&date)
    }

    private mutating func end(_ coder: inout some FieldCoder) {
        // Trimble's receivers send 999.9 if the variation is not known.
        coder.decimal(&magneticVariation, plus: "E", minus: "W", upTo: 180)
        coder.mode(&mode)
        coder.letter(&navigationStatus)
    }

    /// Reads the last field of a sentence that lacks either the direction of the variation or the
    /// mode. Before NMEA 2.3, that field is the direction; some receivers omit the direction and
    /// send the mode there. `E` is read as east: no known receiver sends the mode `E` (dead
    /// reckoning) without a direction.
    private mutating func readShortEnd(_ fields: inout FieldReader) {
        let variation = fields.decimal(in: 0...180)
        switch fields.letter() {
        case UInt8(ascii: "E"): magneticVariation = variation
        case UInt8(ascii: "W"): magneticVariation = variation.map { -$0 }
        case let letter: mode = FixQuality(modeLetter: letter)
        }
    }

    public var timing: EpochTiming { .opens(time) }

    /// Sets position, speed, course and date. If the sentence is void (status `V`), only the date
    /// is set. Later epochs use the date only if the sentence has a valid position: gateways
    /// without a receiver send a date that they have invented.
    public func contribute(to epoch: inout Epoch) {
        let isCorrected = status == UInt8(ascii: "D")
        let isValid = (isCorrected || status == UInt8(ascii: "A")) && mode != .invalid
        epoch.fill(date: time == nil ? nil : date, isTrusted: isValid && coordinate != nil)
        guard isValid else { return epoch.reportNoFix() }
        epoch.reportFix()
        epoch.fill(\.coordinate, coordinate)
        epoch.fill(quality: mode)
        if mode == nil, isCorrected { epoch.fill(unmarked: .differential) }
        epoch.replace(\.speed, Knots.metresPerSecond(speedKnots))
        epoch.replace(\.course, course)
        // Many receivers send 0 because they do not know the variation.
        if magneticVariation != 0 { epoch.fill(\.magneticVariation, magneticVariation) }
    }
}

/// Course and speed over ground.
///
///     $--VTG,x.x,T,x.x,M,x.x,N,x.x,K,a*hh
///     $GNVTG,54.31,T,,M,1.234,N,2.285,K,D*1C
public struct VTG: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "VTG"
    /// Four fields are required: the oldest format consists of four numbers without unit letters.
    public static let minimumFieldCount = 4

    /// The course in degrees true.
    public var course: Double?
    /// The course in degrees magnetic.
    public var magneticCourse: Double?
    /// The speed in knots.
    public var speedKnots: Double?
    /// The speed in kilometres per hour.
    public var speedKilometresPerHour: Double?
    /// The mode indicator: how the position was determined (NMEA 2.3).
    public var mode: FixQuality?

    public init() {}

    public init(_ fields: inout FieldReader) throws(NMEAError) {
        fields.course(&course)
        let isUnitEmpty = fields.isNextEmpty && fields.count > 4
        if isUnitEmpty || fields.peek() == UInt8(ascii: "T") {
            end(&fields)
        } else {
            // The oldest format has no unit letters.
            magneticCourse = fields.bearing()
            speedKnots = fields.decimal(in: Knots.range)
            speedKilometresPerHour = fields.decimal(in: 0...36_000)
        }
    }

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.course(&course)
        end(&coder)
    }

    private mutating func end(_ coder: inout some FieldCoder) {
        coder.unit("T")
        coder.course(&magneticCourse)
        coder.unit("M")
        coder.speed(&speedKnots, in: Knots.range)
        coder.unit("N")
        coder.speed(&speedKilometresPerHour, in: 0...36_000)
        coder.unit("K")
        coder.mode(&mode)
    }

    /// Sets course and speed unless the mode is `N` (no fix). They replace the values of a directly
    /// preceding RMC or VTG. After other sentences of the epoch, they do not replace a known speed:
    /// the cycle of some receivers begins with VTG, so it may belong to the next epoch, and an
    /// autopilot's VTG may contain anything, such as 0.
    public func contribute(to epoch: inout Epoch) {
        guard mode != .invalid else { return }
        epoch.fill(\.magneticCourse, magneticCourse)
        guard epoch.fix.speed == nil || epoch.followsVelocity else { return }
        let speed =
            Knots.metresPerSecond(speedKnots)
            ?? Knots.metresPerSecond(kilometresPerHour: speedKilometresPerHour)
        epoch.replace(\.speed, speed)
        epoch.replace(\.course, course)
    }
}

/// Time and date.
///
///     $--ZDA,hhmmss.ss,dd,mm,yyyy,xx,xx*hh
///     $GPZDA,101520.00,21,03,2026,00,00*67
public struct ZDA: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "ZDA"
    /// The time and the date are required.
    public static let minimumFieldCount = 4

    /// The UTC time.
    public var time: TimeOfDay?
    /// The date. The year has four digits; some receivers send only two.
    public var date: CalendarDate?
    /// The hours of the local time zone's offset from UTC, -13 to 13.
    public var zoneHours: Int?
    /// The minutes of the local time zone's offset from UTC. They have the sign of `zoneHours`.
    public var zoneMinutes: Int?

    public init() {}

    // Specialised here, because other modules call the generic `init(_:)` 1.5 times as slowly.
    public init(_ fields: inout FieldReader) throws(NMEAError) {
        self.init()
        self.fields(&fields)
    }

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.time(&time)
        coder.longDate(&date)
        coder.field(&zoneHours) {
            $0.signedInteger().flatMap { -13...13 ~= $0 ? $0 : nil }
        } write: {
            $0.integer($1, width: 2)
        }
        coder.integer(&zoneMinutes, width: 2)
    }

    public var timing: EpochTiming { .opens(time) }

    /// Sets the date. Later epochs use it only if this epoch is not void: without a fix, some
    /// receivers send a default date.
    public func contribute(to epoch: inout Epoch) {
        epoch.fill(date: time == nil ? nil : date, needsFix: true)
    }
}
