// SPDX-License-Identifier: MIT
public import GNSS

/// Bearing and distance to a waypoint, by great circle.
///
///     $--BWC,hhmmss.ss,ddmm.mm,a,dddmm.mm,a,x.x,T,x.x,M,x.x,N,c--c,a*hh
///     $GPBWC,081837.00,4917.24000,N,12309.57000,W,51.9,T,31.6,M,1.3,N,BUOY 7,A*4C
public struct BWC: Sentence, Hashable {
    /// `BWC`.
    public static let formatter: SentenceFormatter = "BWC"
    /// Up to the waypoint.
    public static let minimumFieldCount = 12

    /// UTC of the fix it was worked out from.
    public var time: TimeOfDay?
    /// Where the waypoint is, in degrees.
    public var coordinate: Coordinate?
    /// Degrees true.
    public var trueBearing: Double?
    /// Degrees magnetic.
    public var magneticBearing: Double?
    /// Nautical miles.
    public var distanceNauticalMiles: Double?
    /// Its name.
    public var waypoint: String?
    /// NMEA 2.3: where the position comes from.
    public var mode: FixQuality?

    /// Reads the fields.
    public init(_ fields: inout FieldReader) throws(NMEAError) {
        time = fields.time()
        coordinate = fields.coordinate()
        trueBearing = fields.bearing(unit: "T")
        magneticBearing = fields.bearing(unit: "M")
        distanceNauticalMiles = fields.decimal(in: 0...1e9, unit: "N")
        waypoint = fields.text()
        mode = FixQuality(modeLetter: fields.letter())
    }

    /// Creates a sentence with all fields `nil`.
    public init() {}

    /// Writes the fields.
    public func encode(into writer: inout SentenceWriter) {
        writer.time(time)
        writer.coordinate(coordinate)
        writer.decimal(trueBearing, decimals: 1, unit: "T")
        writer.decimal(magneticBearing, decimals: 1, unit: "M")
        writer.decimal(distanceNauticalMiles, decimals: 1, unit: "N")
        writer.text(waypoint)
        writer.letter(mode?.modeLetter)
    }
}
