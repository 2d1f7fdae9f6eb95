// SPDX-License-Identifier: MIT
public import GNSS

/// Navigation to a waypoint.
///
///     $--RMB,A,x.x,a,c--c,c--c,ddmm.mm,a,dddmm.mm,a,x.x,x.x,x.x,A,a*hh
///     $GPRMB,A,0.66,L,HARBOUR,BUOY 7,4917.24000,N,12309.57000,W,1.3,52.5,5.0,V,D*38
public struct RMB: Sentence, Hashable {
    /// `RMB`.
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
    /// Where the destination is, in degrees.
    public var coordinate: Coordinate?
    /// Nautical miles to the destination.
    public var rangeNauticalMiles: Double?
    /// Degrees true to the destination.
    public var bearing: Double?
    /// Knots towards the destination; negative away from it.
    public var closingSpeedKnots: Double?
    /// `A` inside the arrival circle, `V` not.
    public var arrival: UInt8?
    /// NMEA 2.3: where the position comes from.
    public var mode: FixQuality?

    /// Reads the fields.
    public init(_ fields: inout FieldReader) throws(NMEAError) {
        status = fields.letter()
        crossTrackErrorNauticalMiles = fields.decimal(in: 0...1e9)
        steer = fields.letter()
        origin = fields.text()
        destination = fields.text()
        coordinate = fields.coordinate()
        rangeNauticalMiles = fields.decimal(in: 0...1e9)
        bearing = fields.bearing()
        closingSpeedKnots = fields.decimal()
        arrival = fields.letter()
        mode = FixQuality(modeLetter: fields.letter())
    }

    /// Creates a sentence with all fields `nil`.
    public init() {}

    /// Writes the fields.
    public func encode(into writer: inout SentenceWriter) {
        writer.letter(status)
        writer.decimal(crossTrackErrorNauticalMiles, decimals: 1)
        writer.letter(steer)
        writer.text(origin)
        writer.text(destination)
        writer.coordinate(coordinate)
        writer.decimal(rangeNauticalMiles, decimals: 1)
        writer.decimal(bearing, decimals: 1)
        writer.decimal(closingSpeedKnots, decimals: 1)
        writer.letter(arrival)
        writer.letter(mode?.modeLetter)
    }
}
