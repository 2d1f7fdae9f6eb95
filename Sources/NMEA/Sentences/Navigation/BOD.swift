// SPDX-License-Identifier: MIT

/// Bearing from origin to destination.
///
///     $--BOD,x.x,T,x.x,M,c--c,c--c*hh
///     $GPBOD,99.3,T,105.6,M,BUOY 7,HARBOUR*31
public struct BOD: DeclaredSentence, Hashable {
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

    public init() {}

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.bearing(&trueBearing, unit: "T")
        coder.bearing(&magneticBearing, unit: "M")
        coder.text(&destination)
        coder.text(&origin)
    }
}
