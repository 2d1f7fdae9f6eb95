// SPDX-License-Identifier: MIT
public import GNSS

/// Recommended minimum: time with date, position, speed and course.
///
///     $--RMC,hhmmss.ss,A,ddmm.mm,a,dddmm.mm,a,x.x,x.x,ddmmyy,x.x,a,a,a*hh
///     $GNRMC,101520.00,A,4812.50000,N,01622.42000,E,1.234,54.31,210326,,,D,V*30
public struct RMC: DeclaredSentence, Hashable {
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
    /// The UTC date.
    public var date: CalendarDate?
    /// Degrees, east positive: true is magnetic plus variation.
    public var magneticVariation: Double?
    /// NMEA 2.3: the source of the position.
    public var mode: FixQuality?
    /// NMEA 4.10: `S` safe, `C` caution, `U` unsafe, `V` not provided.
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
        coder.decimal(&magneticVariation, plus: "E", minus: "W")
        coder.mode(&mode)
        coder.letter(&navigationStatus)
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

    public var timing: EpochTiming { .opens(time) }

    /// Position, speed, course and date; only the date where it calls itself void.
    public func contribute(to epoch: inout Epoch) {
        let isValid = status == UInt8(ascii: "A") && mode != .invalid
        epoch.fill(date: time == nil ? nil : date, isTrusted: isValid)
        guard isValid else { return epoch.reportNoFix() }
        epoch.reportFix()
        epoch.fill(quality: mode)
        epoch.fill(\.coordinate, coordinate)
        epoch.replace(\.speed, Knots.metresPerSecond(speedKnots))
        epoch.replace(\.course, course)
        epoch.fill(\.magneticVariation, magneticVariation)
    }
}
