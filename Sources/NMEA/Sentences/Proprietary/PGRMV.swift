// SPDX-License-Identifier: MIT

/// Garmin: velocity in three dimensions.
///
/// Members of a fleet that are read as sentences have it, too: no other sentence of many receivers has the climb.
///
///     $PGRMV,x.x,x.x,x.x*hh
///     $PGRMV,3.1,-4.0,0.2*75
public struct PGRMV: Sentence, Hashable {
    /// `PGRMV`.
    public static let formatter: SentenceFormatter = "PGRMV"
    /// All of them.
    public static let minimumFieldCount = 3

    /// Metres per second to the east.
    public var eastVelocity: Double?
    /// Metres per second to the north.
    public var northVelocity: Double?
    /// Metres per second, positive *up*.
    public var upVelocity: Double?

    /// Reads the fields.
    public init(_ fields: inout FieldReader) throws(NMEAError) {
        eastVelocity = fields.decimal(in: -10_000...10_000)
        northVelocity = fields.decimal(in: -10_000...10_000)
        upVelocity = fields.decimal(in: -10_000...10_000)
    }

    /// Creates a sentence with all fields `nil`.
    public init() {}

    /// Writes the fields.
    public func encode(into writer: inout SentenceWriter) {
        writer.decimal(eastVelocity, decimals: 3)
        writer.decimal(northVelocity, decimals: 3)
        writer.decimal(upVelocity, decimals: 3)
    }

    /// The climb. Speed and course are in RMC and VTG.
    public func contribute(to epoch: inout Epoch) {
        epoch.fill(\.climb, upVelocity)
    }
}
