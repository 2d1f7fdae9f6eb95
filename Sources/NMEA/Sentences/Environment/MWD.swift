// SPDX-License-Identifier: MIT

/// Wind direction and speed.
///
///     $--MWD,x.x,T,x.x,M,x.x,N,x.x,M*hh
///     $WIMWD,302.5,T,299.0,M,14.2,N,7.3,M*6F
public struct MWD: Sentence, Hashable {
    /// `MWD`.
    public static let formatter: SentenceFormatter = "MWD"
    /// Up to the knots.
    public static let minimumFieldCount = 6

    /// Degrees true that the wind comes from.
    public var trueDirection: Double?
    /// Degrees magnetic that the wind comes from.
    public var magneticDirection: Double?
    /// Knots.
    public var speedKnots: Double?
    /// Metres per second.
    public var speedMetresPerSecond: Double?

    /// Reads the fields.
    public init(_ fields: inout FieldReader) throws(NMEAError) {
        trueDirection = fields.bearing(unit: "T")
        magneticDirection = fields.bearing(unit: "M")
        speedKnots = fields.knots()
        speedMetresPerSecond = fields.decimal(in: 0...1e9, unit: "M")
    }

    /// Creates a sentence with all fields `nil`.
    public init() {}

    /// Writes the fields.
    public func encode(into writer: inout SentenceWriter) {
        writer.decimal(trueDirection, decimals: 1, unit: "T")
        writer.decimal(magneticDirection, decimals: 1, unit: "M")
        writer.decimal(speedKnots, decimals: 1, unit: "N")
        writer.decimal(speedMetresPerSecond, decimals: 1, unit: "M")
    }
}
