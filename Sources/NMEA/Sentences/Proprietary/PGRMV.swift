// SPDX-License-Identifier: MIT

/// Garmin: velocity in three dimensions.
///
/// Members of a fleet that are read as sentences have it, too: no other sentence of many receivers has the climb.
///
///     $PGRMV,x.x,x.x,x.x*hh
///     $PGRMV,3.1,-4.0,0.2*75
public struct PGRMV: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "PGRMV"
    /// All of them.
    public static let minimumFieldCount = 3

    /// Metres per second to the east.
    public var eastVelocity: Double?
    /// Metres per second to the north.
    public var northVelocity: Double?
    /// Metres per second, positive *up*.
    public var upVelocity: Double?

    public init() {}

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.decimal(&eastVelocity, in: -10_000...10_000, decimals: 3)
        coder.decimal(&northVelocity, in: -10_000...10_000, decimals: 3)
        coder.decimal(&upVelocity, in: -10_000...10_000, decimals: 3)
    }

    /// The climb. Speed and course are in RMC and VTG.
    public func contribute(to epoch: inout Epoch) {
        epoch.fill(\.climb, upVelocity)
    }
}
