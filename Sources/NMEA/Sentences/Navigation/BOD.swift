// SPDX-License-Identifier: MIT

/// Bearing from origin to destination.
///
///     $--BOD,x.x,T,x.x,M,c--c,c--c*hh
///     $GPBOD,99.3,T,105.6,M,BUOY 7,HARBOUR*31
public struct BOD: Sentence, Hashable {
    /// `BOD`.
    public static let formatter: SentenceFormatter = "BOD"
    /// Up to the destination.
    public static let minimumFieldCount = 5

    /// Degrees true.
    public var trueBearing: Double?
    /// Degrees magnetic.
    public var magneticBearing: Double?
    /// Waypoint ahead.
    public var destination: String?
    /// Waypoint left behind.
    public var origin: String?

    /// Reads the fields.
    public init(_ fields: inout FieldReader) throws(NMEAError) {
        trueBearing = fields.bearing(unit: "T")
        magneticBearing = fields.bearing(unit: "M")
        destination = fields.text()
        origin = fields.text()
    }

    /// Creates a sentence with all fields `nil`.
    public init() {}

    /// Writes the fields.
    public func encode(into writer: inout SentenceWriter) {
        writer.decimal(trueBearing, decimals: 1, unit: "T")
        writer.decimal(magneticBearing, decimals: 1, unit: "M")
        writer.text(destination)
        writer.text(origin)
    }
}
