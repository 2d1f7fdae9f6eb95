// SPDX-License-Identifier: MIT

/// Distance travelled, in nautical miles.
///
///     $--VLW,x.x,N,x.x,N,x.x,N,x.x,N*hh
///     $VWVLW,2514.6,N,12.7,N,2533.0,N,12.9,N*41
public struct VLW: Sentence, Hashable {
    /// `VLW`.
    public static let formatter: SentenceFormatter = "VLW"
    /// Through the water.
    public static let minimumFieldCount = 4

    /// In all, through the water.
    public var totalWater: Double?
    /// Since reset, through the water.
    public var tripWater: Double?
    /// In all, over ground; later versions.
    public var totalGround: Double?
    /// Since reset, over ground; later versions.
    public var tripGround: Double?

    /// Reads the fields.
    public init(_ fields: inout FieldReader) throws(NMEAError) {
        totalWater = fields.decimal(in: 0...1e9, unit: "N")
        tripWater = fields.decimal(in: 0...1e9, unit: "N")
        totalGround = fields.decimal(in: 0...1e9, unit: "N")
        tripGround = fields.decimal(in: 0...1e9, unit: "N")
    }

    /// Creates a sentence with all fields `nil`.
    public init() {}

    /// Writes the fields.
    public func encode(into writer: inout SentenceWriter) {
        writer.decimal(totalWater, decimals: 1, unit: "N")
        writer.decimal(tripWater, decimals: 1, unit: "N")
        writer.decimal(totalGround, decimals: 1, unit: "N")
        writer.decimal(tripGround, decimals: 1, unit: "N")
    }
}
