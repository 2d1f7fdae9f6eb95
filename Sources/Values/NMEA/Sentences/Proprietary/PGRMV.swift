// SPDX-License-Identifier: MIT

/// Garmin: velocity in three dimensions.
///
/// `gpsbridge-fleet read` also writes this sentence when it outputs fixes as NMEA, because no
/// standard sentence contains the climb rate.
///
///     $PGRMV,x.x,x.x,x.x*hh
///     $PGRMV,3.1,-4.0,0.2*75
public struct PGRMV: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "PGRMV"
    /// All fields are required.
    public static let minimumFieldCount = 3

    /// The velocity to the east in metres per second.
    public var eastVelocity: Double?
    /// The velocity to the north in metres per second.
    public var northVelocity: Double?
    /// The vertical velocity in metres per second; positive *up*.
    public var upVelocity: Double?

    public init() {}

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.decimal(&eastVelocity, in: -10_000...10_000, decimals: 3)
        coder.decimal(&northVelocity, in: -10_000...10_000, decimals: 3)
        coder.decimal(&upVelocity, in: -10_000...10_000, decimals: 3)
    }

    /// Sets the climb rate. Speed and course are in RMC and VTG.
    public func contribute(to epoch: inout Epoch) {
        epoch.fill(\.climb, upVelocity)
    }
}
