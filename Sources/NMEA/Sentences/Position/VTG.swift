// SPDX-License-Identifier: MIT
public import GNSS

/// Course and speed over ground.
///
///     $--VTG,x.x,T,x.x,M,x.x,N,x.x,K,a*hh
///     $GNVTG,54.31,T,,M,1.234,N,2.285,K,D*1C
public struct VTG: Sentence, Hashable {
    /// `VTG`.
    public static let formatter: SentenceFormatter = "VTG"
    /// The four bare numbers of its oldest form.
    public static let minimumFieldCount = 4

    /// Degrees true.
    public var course: Double?
    /// Degrees magnetic.
    public var magneticCourse: Double?
    /// Knots.
    public var speedKnots: Double?
    /// Kilometres an hour.
    public var speedKilometresPerHour: Double?
    /// NMEA 2.3: where the position comes from.
    public var mode: FixQuality?

    /// Reads the fields; the old form has no unit letters.
    public init(_ fields: inout FieldReader) throws(NMEAError) {
        course = fields.bearing()
        let isUnitEmpty = fields.isNextEmpty && fields.count > 4
        if isUnitEmpty || fields.peek() == UInt8(ascii: "T") {
            fields.skip()
            magneticCourse = fields.bearing()
            fields.skip()
            speedKnots = fields.decimal(in: Knots.range)
            fields.skip()
            speedKilometresPerHour = fields.decimal(in: 0...36_000)
            fields.skip()
            mode = FixQuality(modeLetter: fields.letter())
        } else {
            magneticCourse = fields.bearing()
            speedKnots = fields.decimal(in: Knots.range)
            speedKilometresPerHour = fields.decimal(in: 0...36_000)
        }
    }

    /// Creates a sentence with all fields `nil`.
    public init() {}

    /// Writes the fields.
    public func encode(into writer: inout SentenceWriter) {
        writer.course(course)
        writer.unit("T")
        writer.course(magneticCourse)
        writer.unit("M")
        writer.speed(speedKnots)
        writer.unit("N")
        writer.speed(speedKilometresPerHour)
        writer.unit("K")
        writer.letter(mode?.modeLetter)
    }

    /// Course and speed, unless there is no fix.
    public func contribute(to epoch: inout Epoch) {
        guard mode != .invalid else { return }
        epoch.fill(\.magneticCourse, magneticCourse)
        let speed =
            Knots.metresPerSecond(speedKnots)
            ?? Knots.metresPerSecond(kilometresPerHour: speedKilometresPerHour)
        epoch.replace(\.speed, speed)
        epoch.replace(\.course, course)
    }
}
