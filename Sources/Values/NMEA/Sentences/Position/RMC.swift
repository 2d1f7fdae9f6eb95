// SPDX-License-Identifier: MIT
public import GNSS

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
