// SPDX-License-Identifier: MIT

/// Longitudinal and transverse speed of the ship, through water and over ground.
///
///     $--VBW,x.x,x.x,A,x.x,x.x,A,x.x,A,x.x,A*hh
///     $VDVBW,12.1,-0.3,A,11.8,0.6,A,-0.2,A,0.5,A*59
public struct VBW: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "VBW"
    /// All fields except those about the stern are required.
    public static let minimumFieldCount = 6

    /// The longitudinal speed through the water in knots; negative astern.
    public var waterAhead: Double?
    /// The transverse speed through the water in knots; negative to port.
    public var waterAcross: Double?
    /// The status of the speed through the water: `A` valid, `V` not valid.
    public var waterStatus: UInt8?
    /// The longitudinal speed over ground in knots; negative astern.
    public var groundAhead: Double?
    /// The transverse speed over ground in knots; negative to port.
    public var groundAcross: Double?
    /// The status of the speed over ground: `A` valid, `V` not valid.
    public var groundStatus: UInt8?
    /// The transverse speed of the stern through the water in knots; negative to port (NMEA 3.0).
    public var sternWaterAcross: Double?
    /// The status of the stern's speed through the water: `A` valid, `V` not valid.
    public var sternWaterStatus: UInt8?
    /// The transverse speed of the stern over ground in knots; negative to port (NMEA 3.0).
    public var sternGroundAcross: Double?
    /// The status of the stern's speed over ground: `A` valid, `V` not valid.
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
