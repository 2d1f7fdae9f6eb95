// SPDX-License-Identifier: MIT

/// Bearing from origin to destination.
///
///     $--BOD,x.x,T,x.x,M,c--c,c--c*hh
///     $GPBOD,99.3,T,105.6,M,BUOY 7,HARBOUR*31
public struct BOD: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "BOD"
    /// All fields up to the destination are required.
    public static let minimumFieldCount = 5

    /// The bearing in degrees true.
    public var trueBearing: Double?
    /// The bearing in degrees magnetic.
    public var magneticBearing: Double?
    /// The name of the destination waypoint.
    public var destination: String?
    /// The name of the origin waypoint.
    public var origin: String?

    public init() {}

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.bearing(&trueBearing, unit: "T")
        coder.bearing(&magneticBearing, unit: "M")
        coder.text(&destination)
        coder.text(&origin)
    }
}
