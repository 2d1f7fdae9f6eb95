// SPDX-License-Identifier: MIT
public import GNSS

/// Bearing and distance to a waypoint, along a great circle.
///
///     $--BWC,hhmmss.ss,ddmm.mm,a,dddmm.mm,a,x.x,T,x.x,M,x.x,N,c--c,a*hh
///     $GPBWC,081837.00,4917.24000,N,12309.57000,W,51.9,T,31.6,M,1.3,N,BUOY 7,A*4C
public struct BWC: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "BWC"
    /// All fields up to the waypoint are required.
    public static let minimumFieldCount = 12

    /// The UTC time of the fix from which the bearing was calculated.
    public var time: TimeOfDay?
    /// The position of the waypoint, in degrees.
    public var coordinate: Coordinate?
    /// The bearing in degrees true.
    public var trueBearing: Double?
    /// The bearing in degrees magnetic.
    public var magneticBearing: Double?
    /// The distance in nautical miles.
    public var distanceNauticalMiles: Double?
    /// The name of the waypoint.
    public var waypoint: String?
    /// The mode indicator: how the position was determined (NMEA 2.3).
    public var mode: FixQuality?

    public init() {}

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.time(&time)
        coder.coordinate(&coordinate)
        coder.bearing(&trueBearing, unit: "T")
        coder.bearing(&magneticBearing, unit: "M")
        coder.decimal(&distanceNauticalMiles, in: 0...1e9, unit: "N")
        coder.text(&waypoint)
        coder.mode(&mode)
    }
}
