// SPDX-License-Identifier: MIT
public import GNSS

/// Recommended minimum: time with date, position, speed and course.
///
///     $--RMC,hhmmss.ss,A,ddmm.mm,a,dddmm.mm,a,x.x,x.x,ddmmyy,x.x,a,a,a*hh
///     $GNRMC,101520.00,A,4812.50000,N,01622.42000,E,1.234,54.31,210326,,,D,V*30
public struct RMC: Sentence, Hashable {
    /// `RMC`.
    public static let formatter: SentenceFormatter = "RMC"
    /// Up to the date.
    public static let minimumFieldCount = 9

    /// UTC of the fix.
    public var time: TimeOfDay?
    /// `A` valid, `V` not.
    public var status: UInt8?
    /// Degrees.
    public var coordinate: Coordinate?
    /// Knots over ground.
    public var speedKnots: Double?
    /// Degrees true over ground.
    public var course: Double?
    /// The day.
    public var date: CalendarDate?
    /// Degrees, east positive: true is magnetic plus variation.
    public var magneticVariation: Double?
    /// NMEA 2.3: where the position comes from.
    public var mode: FixQuality?
    /// NMEA 4.10: `S` safe, `C` caution, `U` unsafe, `V` not provided.
    public var navigationStatus: UInt8?

    /// Reads the fields.
    public init(_ fields: inout FieldReader) throws(NMEAError) {
        time = fields.time()
        status = fields.letter()
        coordinate = fields.coordinate()
        speedKnots = fields.decimal(in: Knots.range)
        course = fields.bearing()
        date = fields.date()
        if fields.count == 11 {
            readShortEnd(&fields)
        } else {
            magneticVariation = fields.decimal(plus: "E", minus: "W")
            mode = FixQuality(modeLetter: fields.letter())
            navigationStatus = fields.letter()
        }
    }

    /// Before NMEA 2.3 the variation's direction is the last field; a receiver that has no
    /// direction sends the mode there. An `E` is east: dead reckoning never came without.
    private mutating func readShortEnd(_ fields: inout FieldReader) {
        let variation = fields.decimal()
        switch fields.letter() {
        case UInt8(ascii: "E"): magneticVariation = variation
        case UInt8(ascii: "W"): magneticVariation = variation.map { -$0 }
        case let letter: mode = FixQuality(modeLetter: letter)
        }
    }

    /// Creates a sentence with all fields `nil`.
    public init() {}

    /// Writes the fields.
    public func encode(into writer: inout SentenceWriter) {
        writer.time(time)
        writer.letter(status)
        writer.coordinate(coordinate)
        writer.speed(speedKnots)
        writer.course(course)
        writer.date(date)
        writer.decimal(magneticVariation, decimals: 1, plus: "E", minus: "W")
        writer.letter(mode?.modeLetter)
        writer.letter(navigationStatus)
    }

    /// Opens an epoch.
    public var timing: EpochTiming { .opens(time) }

    /// Position, speed, course and date; only the date where it calls itself void.
    public func contribute(to epoch: inout Epoch) {
        let isValid = status == UInt8(ascii: "A") && mode != .invalid
        epoch.fill(date: time == nil ? nil : date, isTrusted: isValid)
        guard isValid else { return epoch.refuteFix() }
        epoch.supportFix()
        epoch.fill(quality: mode)
        epoch.fill(\.coordinate, coordinate)
        epoch.replace(\.speed, Knots.metresPerSecond(speedKnots))
        epoch.replace(\.course, course)
        epoch.fill(\.magneticVariation, magneticVariation)
    }
}
