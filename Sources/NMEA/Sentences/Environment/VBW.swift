// SPDX-License-Identifier: MIT

/// Speed along and across the ship, through water and over ground.
///
///     $--VBW,x.x,x.x,A,x.x,x.x,A,x.x,A,x.x,A*hh
///     $VDVBW,12.1,-0.3,A,11.8,0.6,A,-0.2,A,0.5,A*59
public struct VBW: DeclaredSentence, Hashable {
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

    public init() {}

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.decimal(&waterAhead)
        coder.decimal(&waterAcross)
        coder.letter(&waterStatus)
        coder.decimal(&groundAhead)
        coder.decimal(&groundAcross)
        coder.letter(&groundStatus)
        coder.decimal(&sternWaterAcross)
        coder.letter(&sternWaterStatus)
        coder.decimal(&sternGroundAcross)
        coder.letter(&sternGroundStatus)
    }
}
