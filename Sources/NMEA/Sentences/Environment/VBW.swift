// SPDX-License-Identifier: MIT

/// Speed along and across the ship, through water and over ground.
///
///     $--VBW,x.x,x.x,A,x.x,x.x,A,x.x,A,x.x,A*hh
///     $VDVBW,12.1,-0.3,A,11.8,0.6,A,-0.2,A,0.5,A*59
public struct VBW: Sentence, Hashable {
    /// `VBW`.
    public static let formatter: SentenceFormatter = "VBW"
    /// Without the stern.
    public static let minimumFieldCount = 6

    /// Knots through the water, negative astern.
    public var waterAhead: Double?
    /// Knots through the water, negative to port.
    public var waterAcross: Double?
    /// `A` valid, `V` not.
    public var waterStatus: UInt8?
    /// Knots over ground, negative astern.
    public var groundAhead: Double?
    /// Knots over ground, negative to port.
    public var groundAcross: Double?
    /// `A` valid, `V` not.
    public var groundStatus: UInt8?
    /// NMEA 3.0: knots of the stern through the water.
    public var sternWaterAcross: Double?
    /// `A` valid, `V` not.
    public var sternWaterStatus: UInt8?
    /// NMEA 3.0: knots of the stern over ground.
    public var sternGroundAcross: Double?
    /// `A` valid, `V` not.
    public var sternGroundStatus: UInt8?

    /// Reads the fields.
    public init(_ fields: inout FieldReader) throws(NMEAError) {
        waterAhead = fields.decimal()
        waterAcross = fields.decimal()
        waterStatus = fields.letter()
        groundAhead = fields.decimal()
        groundAcross = fields.decimal()
        groundStatus = fields.letter()
        sternWaterAcross = fields.decimal()
        sternWaterStatus = fields.letter()
        sternGroundAcross = fields.decimal()
        sternGroundStatus = fields.letter()
    }

    /// Creates a sentence with all fields `nil`.
    public init() {}

    /// Writes the fields.
    public func encode(into writer: inout SentenceWriter) {
        writer.decimal(waterAhead, decimals: 1)
        writer.decimal(waterAcross, decimals: 1)
        writer.letter(waterStatus)
        writer.decimal(groundAhead, decimals: 1)
        writer.decimal(groundAcross, decimals: 1)
        writer.letter(groundStatus)
        writer.decimal(sternWaterAcross, decimals: 1)
        writer.letter(sternWaterStatus)
        writer.decimal(sternGroundAcross, decimals: 1)
        writer.letter(sternGroundStatus)
    }
}
