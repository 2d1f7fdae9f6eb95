// SPDX-License-Identifier: MIT
public import GNSS

/// Data for an autopilot (sentence B).
///
///     $--APB,A,A,x.x,a,N,A,A,x.x,a,c--c,x.x,a,x.x,a,a*hh
///     $GPAPB,A,A,0.10,R,N,V,V,11.0,M,BUOY 7,12.5,M,13.0,M,A*6B
public struct APB: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "APB"
    /// All fields except the mode are required.
    public static let minimumFieldCount = 14

    /// `V` if there is a general Loran-C warning or the data is not valid, otherwise `A`.
    public var status: UInt8?
    /// `V` if there is a Loran-C cycle lock warning, otherwise `A`.
    public var lockStatus: UInt8?
    /// The cross-track error in nautical miles.
    public var crossTrackErrorNauticalMiles: Double?
    /// The direction to steer, `L` or `R`.
    public var steer: UInt8?
    /// The unit of the cross-track error: `N`, nautical miles.
    public var unit: UInt8?
    /// `A` if the ship is inside the arrival circle, otherwise `V`.
    public var arrivalCircle: UInt8?
    /// `A` if the ship has passed the perpendicular at the waypoint, otherwise `V`.
    public var perpendicular: UInt8?
    /// The bearing from the origin to the destination in degrees.
    public var bearing: Double?
    /// The reference of the bearing: `M` magnetic, `T` true.
    public var bearingReference: UInt8?
    /// The name of the destination waypoint.
    public var destination: String?
    /// The bearing from the present position to the destination in degrees.
    public var presentBearing: Double?
    /// The reference of the present bearing: `M` magnetic, `T` true.
    public var presentBearingReference: UInt8?
    /// The heading to steer, in degrees.
    public var headingToSteer: Double?
    /// The reference of the heading to steer: `M` magnetic, `T` true.
    public var headingReference: UInt8?
    /// The mode indicator: how the position was determined (NMEA 2.3).
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
