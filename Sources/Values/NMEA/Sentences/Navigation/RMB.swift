// SPDX-License-Identifier: MIT
public import GNSS

/// Navigation to a waypoint.
///
///     $--RMB,A,x.x,a,c--c,c--c,ddmm.mm,a,dddmm.mm,a,x.x,x.x,x.x,A,a*hh
///     $GPRMB,A,0.66,L,HARBOUR,BUOY 7,4917.24000,N,12309.57000,W,1.3,52.5,5.0,V,D*38
public struct RMB: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "RMB"
    /// All fields up to the arrival status are required.
    public static let minimumFieldCount = 13

    /// The status: `A` valid, `V` not valid.
    public var status: UInt8?
    /// The cross-track error in nautical miles.
    public var crossTrackErrorNauticalMiles: Double?
    /// The direction to steer, `L` or `R`.
    public var steer: UInt8?
    /// The name of the origin waypoint.
    public var origin: String?
    /// The name of the destination waypoint.
    public var destination: String?
    /// The position of the destination, in degrees.
    public var coordinate: Coordinate?
    /// The distance to the destination in nautical miles.
    public var rangeNauticalMiles: Double?
    /// The bearing of the destination in degrees true.
    public var bearing: Double?
    /// The closing speed in knots: positive towards the destination, negative away from it.
    public var closingSpeedKnots: Double?
    /// `A` if the ship is inside the arrival circle, otherwise `V`.
    public var arrival: UInt8?
    /// The mode indicator: how the position was determined (NMEA 2.3).
    public var mode: FixQuality?

    public init() {}

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.letter(&status)
        coder.decimal(&crossTrackErrorNauticalMiles, in: 0...1e9)
        coder.letter(&steer)
        coder.text(&origin)
        coder.text(&destination)
        coder.coordinate(&coordinate)
        coder.decimal(&rangeNauticalMiles, in: 0...1e9)
        coder.bearing(&bearing)
        coder.decimal(&closingSpeedKnots)
        coder.letter(&arrival)
        coder.mode(&mode)
    }
}
