// SPDX-License-Identifier: MIT
public import GNSS

/// Course and speed over ground.
///
///     $--VTG,x.x,T,x.x,M,x.x,N,x.x,K,a*hh
///     $GNVTG,54.31,T,,M,1.234,N,2.285,K,D*1C
public struct VTG: DeclaredSentence, Hashable {
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
    /// NMEA 2.3: the source of the position.
    public var mode: FixQuality?

    public init() {}

    public init(_ fields: inout FieldReader) throws(NMEAError) {
        fields.course(&course)
        let isUnitEmpty = fields.isNextEmpty && fields.count > 4
        if isUnitEmpty || fields.peek() == UInt8(ascii: "T") {
            end(&fields)
        } else {
            // The old form has no unit letters.
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
