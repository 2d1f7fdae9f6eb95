// SPDX-License-Identifier: MIT

/// Speed through the water, and heading.
///
///     $--VHW,x.x,T,x.x,M,x.x,N,x.x,K*hh
///     $VWVHW,245.1,T,241.6,M,5.3,N,9.8,K*50
public struct VHW: Sentence, Hashable {
    /// `VHW`.
    public static let formatter: SentenceFormatter = "VHW"
    /// Up to the knots.
    public static let minimumFieldCount = 6

    /// Degrees true.
    public var trueHeading: Double?
    /// Degrees magnetic.
    public var magneticHeading: Double?
    /// Knots.
    public var speedKnots: Double?
    /// Kilometres an hour.
    public var speedKilometresPerHour: Double?

    /// Reads the fields.
    public init(_ fields: inout FieldReader) throws(NMEAError) {
        trueHeading = fields.bearing(unit: "T")
        magneticHeading = fields.bearing(unit: "M")
        speedKnots = fields.knots()
        speedKilometresPerHour = fields.decimal(in: 0...1e9, unit: "K")
    }

    /// Creates a sentence with all fields `nil`.
    public init() {}

    /// Writes the fields.
    public func encode(into writer: inout SentenceWriter) {
        writer.decimal(trueHeading, decimals: 1, unit: "T")
        writer.decimal(magneticHeading, decimals: 1, unit: "M")
        writer.decimal(speedKnots, decimals: 1, unit: "N")
        writer.decimal(speedKilometresPerHour, decimals: 1, unit: "K")
    }
}
