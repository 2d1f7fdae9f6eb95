// SPDX-License-Identifier: MIT
public import GNSS

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
