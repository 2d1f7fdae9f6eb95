// SPDX-License-Identifier: MIT

/// Alarm on arrival at a waypoint.
///
///     $--AAM,A,A,x.x,N,c--c*hh
///     $GPAAM,A,V,0.10,N,BUOY 7*26
public struct AAM: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "AAM"
    /// All fields are required.
    public static let minimumFieldCount = 5

    /// `A` if the ship is inside the arrival circle, otherwise `V`.
    public var arrivalCircle: UInt8?
    /// `A` if the ship has passed the perpendicular at the waypoint, otherwise `V`.
    public var perpendicular: UInt8?
    /// The radius of the arrival circle in nautical miles.
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
