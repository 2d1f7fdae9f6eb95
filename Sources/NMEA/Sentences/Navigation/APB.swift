// SPDX-License-Identifier: MIT
public import GNSS

/// Data for an autopilot (sentence B).
///
///     $--APB,A,A,x.x,a,N,A,A,x.x,a,c--c,x.x,a,x.x,a,a*hh
///     $GPAPB,A,A,0.10,R,N,V,V,11.0,M,BUOY 7,12.5,M,13.0,M,A*6B
public struct APB: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "APB"
    /// Everything but the mode.
    public static let minimumFieldCount = 14

    /// `V`: warning of Loran-C, or none of the above valid.
    public var status: UInt8?
    /// `V`: Loran-C cycle lock warning; `A` otherwise.
    public var lockStatus: UInt8?
    /// Nautical miles off the track.
    public var crossTrackErrorNauticalMiles: Double?
    /// `L` or `R`: to which side to steer.
    public var steer: UInt8?
    /// `N`: nautical miles.
    public var unit: UInt8?
    /// `A` inside the arrival circle, `V` not.
    public var arrivalCircle: UInt8?
    /// `A` past the perpendicular at the waypoint, `V` not.
    public var perpendicular: UInt8?
    /// Degrees from origin to destination.
    public var bearing: Double?
    /// `M` magnetic, `T` true.
    public var bearingReference: UInt8?
    /// Waypoint ahead.
    public var destination: String?
    /// Degrees from the present position to the destination.
    public var presentBearing: Double?
    /// `M` magnetic, `T` true.
    public var presentBearingReference: UInt8?
    /// Degrees.
    public var headingToSteer: Double?
    /// `M` magnetic, `T` true.
    public var headingReference: UInt8?
    /// NMEA 2.3: the source of the position.
    public var mode: FixQuality?

    public init() {}

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.letter(&status)
        coder.letter(&lockStatus)
        coder.decimal(&crossTrackErrorNauticalMiles, in: 0...1e9)
        coder.letter(&steer)
        coder.letter(&unit)
        coder.letter(&arrivalCircle)
        coder.letter(&perpendicular)
        coder.bearing(&bearing)
        coder.letter(&bearingReference)
        coder.text(&destination)
        coder.bearing(&presentBearing)
        coder.letter(&presentBearingReference)
        coder.bearing(&headingToSteer)
        coder.letter(&headingReference)
        coder.mode(&mode)
    }
}
