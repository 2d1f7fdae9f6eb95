// SPDX-License-Identifier: MIT
public import GNSS

/// Navigation to a waypoint.
///
///     $--RMB,A,x.x,a,c--c,c--c,ddmm.mm,a,dddmm.mm,a,x.x,x.x,x.x,A,a*hh
///     $GPRMB,A,0.66,L,HARBOUR,BUOY 7,4917.24000,N,12309.57000,W,1.3,52.5,5.0,V,D*38
public struct RMB: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "RMB"
    /// Up to the arrival.
    public static let minimumFieldCount = 13

    /// `A` valid, `V` not.
    public var status: UInt8?
    /// Nautical miles off the track.
    public var crossTrackErrorNauticalMiles: Double?
    /// `L` or `R`: to which side to steer.
    public var steer: UInt8?
    /// Waypoint left behind.
    public var origin: String?
    /// Waypoint ahead.
    public var destination: String?
    /// The position of the destination, in degrees.
    public var coordinate: Coordinate?
    /// Nautical miles to the destination.
    public var rangeNauticalMiles: Double?
    /// Degrees true to the destination.
    public var bearing: Double?
    /// Knots towards the destination; negative away from it.
    public var closingSpeedKnots: Double?
    /// `A` inside the arrival circle, `V` not.
    public var arrival: UInt8?
    /// NMEA 2.3: the source of the position.
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
