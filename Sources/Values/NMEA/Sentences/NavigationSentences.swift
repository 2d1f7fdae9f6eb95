// SPDX-License-Identifier: MIT
package import GNSS

/// Alarm on arrival at a waypoint.
///
///     $--AAM,A,A,x.x,N,c--c*hh
///     $GPAAM,A,V,0.10,N,BUOY 7*26
package struct AAM: DeclaredSentence, Hashable {
    package static let formatter: SentenceFormatter = "AAM"
    /// All fields are required.
    package static let minimumFieldCount = 5

    /// `A` if the ship is inside the arrival circle, otherwise `V`.
    package var arrivalCircle: UInt8?
    /// `A` if the ship has passed the perpendicular at the waypoint, otherwise `V`.
    package var perpendicular: UInt8?
    /// The radius of the arrival circle in nautical miles.
    package var radiusNauticalMiles: Double?
    /// The name of the waypoint.
    package var waypoint: String?

    package init() {}

    package mutating func fields(_ coder: inout some FieldCoder) {
        coder.letter(&arrivalCircle)
        coder.letter(&perpendicular)
        coder.decimal(&radiusNauticalMiles, in: 0...1e9, unit: "N")
        coder.text(&waypoint)
    }
}

/// Data for an autopilot (sentence B).
///
///     $--APB,A,A,x.x,a,N,A,A,x.x,a,c--c,x.x,a,x.x,a,a*hh
///     $GPAPB,A,A,0.10,R,N,V,V,11.0,M,BUOY 7,12.5,M,13.0,M,A*6B
package struct APB: DeclaredSentence, Hashable {
    package static let formatter: SentenceFormatter = "APB"
    /// All fields except the mode are required.
    package static let minimumFieldCount = 14

    /// `V` if there is a general Loran-C warning or the data is not valid, otherwise `A`.
    package var status: UInt8?
    /// `V` if there is a Loran-C cycle lock warning, otherwise `A`.
    private var lockStatus: UInt8?
    private var crossTrackErrorNauticalMiles: Double?
    /// The direction to steer, `L` or `R`.
    private var steer: UInt8?
    /// The unit of the cross-track error: `N`, nautical miles.
    package var unit: UInt8?
    /// `A` if the ship is inside the arrival circle, otherwise `V`.
    private var arrivalCircle: UInt8?
    /// `A` if the ship has passed the perpendicular at the waypoint, otherwise `V`.
    private var perpendicular: UInt8?
    /// The bearing from the origin to the destination in degrees.
    package var bearing: Double?
    /// The reference of the bearing: `M` magnetic, `T` true.
    private var bearingReference: UInt8?
    /// The name of the destination waypoint.
    package var destination: String?
    /// The bearing from the present position to the destination in degrees.
    package var presentBearing: Double?
    /// The reference of the present bearing: `M` magnetic, `T` true.
    private var presentBearingReference: UInt8?
    /// The heading to steer, in degrees.
    package var headingToSteer: Double?
    /// The reference of the heading to steer: `M` magnetic, `T` true.
    package var headingReference: UInt8?
    /// The mode indicator: how the position was determined (NMEA 2.3).
    package var mode: FixQuality?

    package init() {}

    package mutating func fields(_ coder: inout some FieldCoder) {
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

/// Bearing from origin to destination.
///
///     $--BOD,x.x,T,x.x,M,c--c,c--c*hh
///     $GPBOD,99.3,T,105.6,M,BUOY 7,HARBOUR*31
package struct BOD: DeclaredSentence, Hashable {
    package static let formatter: SentenceFormatter = "BOD"
    /// All fields up to the destination are required.
    package static let minimumFieldCount = 5

    /// The bearing in degrees true.
    package var trueBearing: Double?
    /// The bearing in degrees magnetic.
    package var magneticBearing: Double?
    /// The name of the destination waypoint.
    package var destination: String?
    /// The name of the origin waypoint.
    package var origin: String?

    package init() {}

    package mutating func fields(_ coder: inout some FieldCoder) {
        coder.bearing(&trueBearing, unit: "T")
        coder.bearing(&magneticBearing, unit: "M")
        coder.text(&destination)
        coder.text(&origin)
    }
}

/// Bearing and distance to a waypoint, along a great circle.
///
///     $--BWC,hhmmss.ss,ddmm.mm,a,dddmm.mm,a,x.x,T,x.x,M,x.x,N,c--c,a*hh
///     $GPBWC,081837.00,4917.24000,N,12309.57000,W,51.9,T,31.6,M,1.3,N,BUOY 7,A*4C
package struct BWC: DeclaredSentence, Hashable {
    package static let formatter: SentenceFormatter = "BWC"
    /// All fields up to the waypoint are required.
    package static let minimumFieldCount = 12

    /// The UTC time of the fix from which the bearing was calculated.
    package var time: TimeOfDay?
    /// The position of the waypoint, in degrees.
    package var coordinate: Coordinate?
    /// The bearing in degrees true.
    package var trueBearing: Double?
    /// The bearing in degrees magnetic.
    package var magneticBearing: Double?
    package var distanceNauticalMiles: Double?
    /// The name of the waypoint.
    package var waypoint: String?
    /// The mode indicator: how the position was determined (NMEA 2.3).
    package var mode: FixQuality?

    package init() {}

    package mutating func fields(_ coder: inout some FieldCoder) {
        coder.time(&time)
        coder.coordinate(&coordinate)
        coder.bearing(&trueBearing, unit: "T")
        coder.bearing(&magneticBearing, unit: "M")
        coder.decimal(&distanceNauticalMiles, in: 0...1e9, unit: "N")
        coder.text(&waypoint)
        coder.mode(&mode)
    }
}

/// Navigation to a waypoint.
///
///     $--RMB,A,x.x,a,c--c,c--c,ddmm.mm,a,dddmm.mm,a,x.x,x.x,x.x,A,a*hh
///     $GPRMB,A,0.66,L,HARBOUR,BUOY 7,4917.24000,N,12309.57000,W,1.3,52.5,5.0,V,D*38
package struct RMB: DeclaredSentence, Hashable {
    package static let formatter: SentenceFormatter = "RMB"
    /// All fields up to the arrival status are required.
    package static let minimumFieldCount = 13

    /// The status: `A` valid, `V` not valid.
    package var status: UInt8?
    private var crossTrackErrorNauticalMiles: Double?
    /// The direction to steer, `L` or `R`.
    private var steer: UInt8?
    /// The name of the origin waypoint.
    package var origin: String?
    /// The name of the destination waypoint.
    package var destination: String?
    /// The position of the destination, in degrees.
    package var coordinate: Coordinate?
    /// The distance to the destination in nautical miles.
    package var rangeNauticalMiles: Double?
    /// The bearing of the destination in degrees true.
    package var bearing: Double?
    /// The closing speed in knots: positive towards the destination, negative away from it.
    package var closingSpeedKnots: Double?
    /// `A` if the ship is inside the arrival circle, otherwise `V`.
    package var arrival: UInt8?
    /// The mode indicator: how the position was determined (NMEA 2.3).
    package var mode: FixQuality?

    package init() {}

    package mutating func fields(_ coder: inout some FieldCoder) {
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

/// A part of a route, with its waypoints.
///
///     $--RTE,x,x,a,c--c,c--c,…*hh
///     $GPRTE,2,1,c,0,HARBOUR,BUOY 7,BUOY 9,MOLE*50
public struct RTE: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "RTE"
    /// All fields up to the kind are required. A receiver without a route sends only these.
    public static let minimumFieldCount = 3

    /// The number of sentences in the set.
    public var total: Int?
    /// The number of this sentence in the set, from 1.
    public var part: Int?
    /// The kind of route: `c` the complete route, `w` the working route, which begins at the last
    /// waypoint passed.
    public var kind: UInt8?
    /// The name or number of the route.
    public var route: String?
    /// The names of the waypoints, in order. Waypoints without a name are omitted.
    public var waypoints: [String] = []

    public init() {}

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.integer(&total)
        coder.integer(&part)
        coder.letter(&kind)
        coder.text(&route)
        coder.field(&waypoints) { fields in
            var names: [String] = []
            while !fields.isAtEnd {
                if let name = fields.text() { names.append(name) }
            }
            return names
        } write: { writer, names in
            for name in names { writer.text(name) }
        }
    }
}

/// A waypoint.
///
///     $--WPL,ddmm.mm,a,dddmm.mm,a,c--c*hh
///     $GPWPL,4917.16000,N,12310.64000,W,HARBOUR*07
package struct WPL: DeclaredSentence, Hashable {
    package static let formatter: SentenceFormatter = "WPL"
    /// All fields are required.
    package static let minimumFieldCount = 5

    /// The position of the waypoint, in degrees.
    package var coordinate: Coordinate?
    /// The name of the waypoint.
    package var name: String?

    package init() {}

    package mutating func fields(_ coder: inout some FieldCoder) {
        coder.coordinate(&coordinate)
        coder.text(&name)
    }
}

/// Cross-track error.
///
///     $--XTE,A,A,x.x,a,N,a*hh
///     $GPXTE,A,A,0.67,L,N,D*07
package struct XTE: DeclaredSentence, Hashable {
    package static let formatter: SentenceFormatter = "XTE"
    /// All fields up to the unit are required.
    package static let minimumFieldCount = 5

    /// `V` if there is a general Loran-C warning or the data is not valid, otherwise `A`.
    package var status: UInt8?
    /// `V` if there is a Loran-C cycle lock warning, otherwise `A`.
    private var lockStatus: UInt8?
    package var crossTrackErrorNauticalMiles: Double?
    /// The direction to steer, `L` or `R`.
    package var steer: UInt8?
    /// The unit of the cross-track error: `N`, nautical miles.
    package var unit: UInt8?
    /// The mode indicator: how the position was determined (NMEA 2.3).
    package var mode: FixQuality?

    package init() {}

    package mutating func fields(_ coder: inout some FieldCoder) {
        coder.letter(&status)
        coder.letter(&lockStatus)
        coder.decimal(&crossTrackErrorNauticalMiles, in: 0...1e9)
        coder.letter(&steer)
        coder.letter(&unit)
        coder.mode(&mode)
    }
}
