// SPDX-License-Identifier: MIT

/// Alarm on arrival at a waypoint.
///
///     $--AAM,A,A,x.x,N,c--c*hh
///     $GPAAM,A,V,0.10,N,BUOY 7*26
public struct AAM: Sentence, Hashable {
    /// `AAM`.
    public static let formatter: SentenceFormatter = "AAM"
    /// Everything.
    public static let minimumFieldCount = 5

    /// `A` inside the arrival circle, `V` not.
    public var arrivalCircle: UInt8?
    /// `A` past the perpendicular at the waypoint, `V` not.
    public var perpendicular: UInt8?
    /// Nautical miles.
    public var radiusNauticalMiles: Double?
    /// Its name.
    public var waypoint: String?

    /// Reads the fields.
    public init(_ fields: inout FieldReader) throws(NMEAError) {
        arrivalCircle = fields.letter()
        perpendicular = fields.letter()
        radiusNauticalMiles = fields.decimal(in: 0...1e9, unit: "N")
        waypoint = fields.text()
    }

    /// Creates a sentence with all fields `nil`.
    public init() {}

    /// Writes the fields.
    public func encode(into writer: inout SentenceWriter) {
        writer.letter(arrivalCircle)
        writer.letter(perpendicular)
        writer.decimal(radiusNauticalMiles, decimals: 1, unit: "N")
        writer.text(waypoint)
    }
}
