// SPDX-License-Identifier: MIT
public import GNSS

/// A target that radar tracks.
///
///     $--TTM,xx,x.x,x.x,a,x.x,x.x,a,x.x,x.x,a,c--c,a,a,hhmmss.ss,a*hh
///     $RATTM,11,11.4,13.6,T,7.0,20.0,T,0.5,-2.3,N,FERRY,T,,101520.00,M*4A
public struct TTM: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "TTM"
    /// Up to the status.
    public static let minimumFieldCount = 12

    /// 0 to 99, or to 999 in later versions.
    public var number: Int?
    /// In the unit that `unit` names.
    public var distance: Double?
    /// Degrees from our own ship.
    public var bearing: Double?
    /// `T` true, `R` relative to the bow.
    public var bearingReference: UInt8?
    /// In the unit that `unit` names, an hour.
    public var speed: Double?
    /// Degrees of the target.
    public var course: Double?
    /// `T` true, `R` relative to the bow.
    public var courseReference: UInt8?
    /// Distance of closest approach.
    public var closestDistance: Double?
    /// Minutes until then, negative past.
    public var closestTime: Double?
    /// `K` kilometres, `N` nautical miles, `S` statute miles.
    public var unit: UInt8?
    /// The name of the target.
    public var name: String?
    /// `L` lost, `Q` being acquired, `T` tracked.
    public var status: UInt8?
    /// `R`: the target is a reference for our own speed.
    public var reference: UInt8?
    /// NMEA 3.0: UTC of the data.
    public var time: TimeOfDay?
    /// NMEA 3.0: `A` automatic, `M` manual, `R` reported.
    public var acquisition: UInt8?

    public init() {}

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.integer(&number, width: 2)
        coder.decimal(&distance, in: 0...1e9)
        coder.bearing(&bearing)
        coder.letter(&bearingReference)
        coder.decimal(&speed, in: 0...1e9)
        coder.bearing(&course)
        coder.letter(&courseReference)
        coder.decimal(&closestDistance)
        coder.decimal(&closestTime)
        coder.letter(&unit)
        coder.text(&name)
        coder.letter(&status)
        coder.letter(&reference)
        coder.time(&time)
        coder.letter(&acquisition)
    }
}
