// SPDX-License-Identifier: MIT

/// Alarm on arrival at a waypoint.
///
///     $--AAM,A,A,x.x,N,c--c*hh
///     $GPAAM,A,V,0.10,N,BUOY 7*26
public struct AAM: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "AAM"
    /// Everything.
    public static let minimumFieldCount = 5

    /// `A` inside the arrival circle, `V` not.
    public var arrivalCircle: UInt8?
    /// `A` past the perpendicular at the waypoint, `V` not.
    public var perpendicular: UInt8?
    /// Nautical miles.
    public var radiusNauticalMiles: Double?
    /// The name of the waypoint.
    public var waypoint: String?

    public init() {}

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.letter(&arrivalCircle)
        coder.letter(&perpendicular)
        coder.decimal(&radiusNauticalMiles, in: 0...1e9, unit: "N")
        coder.text(&waypoint)
    }
}
