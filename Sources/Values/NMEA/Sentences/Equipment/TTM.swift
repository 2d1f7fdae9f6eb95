// SPDX-License-Identifier: MIT
public import GNSS

/// A target tracked by radar.
///
///     $--TTM,xx,x.x,x.x,a,x.x,x.x,a,x.x,x.x,a,c--c,a,a,hhmmss.ss,a*hh
///     $RATTM,11,11.4,13.6,T,7.0,20.0,T,0.5,-2.3,N,FERRY,T,,101520.00,M*4A
public struct TTM: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "TTM"
    /// All fields up to the status are required.
    public static let minimumFieldCount = 12

    /// The number of the target: 0 to 99, or up to 999 in later versions.
    public var number: Int?
    /// The distance in `unit`.
    public var distance: Double?
    /// The bearing of the target from the own ship in degrees.
    public var bearing: Double?
    /// The reference of the bearing: `T` true, `R` relative to the bow.
    public var bearingReference: UInt8?
    /// The speed of the target in `unit` per hour.
    public var speed: Double?
    /// The course of the target in degrees.
    public var course: Double?
    /// The reference of the course: `T` true, `R` relative to the bow.
    public var courseReference: UInt8?
    /// The distance at the closest approach, in `unit`.
    public var closestDistance: Double?
    /// The time until the closest approach in minutes; negative if it is in the past.
    public var closestTime: Double?
    /// The unit of distances: `K` kilometres, `N` nautical miles, `S` statute miles.
    public var unit: UInt8?
    /// The name of the target.
    public var name: String?
    /// The status of the target: `L` lost, `Q` being acquired, `T` tracked.
    public var status: UInt8?
    /// `R` if the target is used as a reference for the own ship's speed.
    public var reference: UInt8?
    /// The UTC time of the data (NMEA 3.0).
    public var time: TimeOfDay?
    /// How the target was acquired: `A` automatically, `M` manually, `R` by another station's
    /// report (NMEA 3.0).
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
