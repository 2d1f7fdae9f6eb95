// SPDX-License-Identifier: MIT

/// Depth below the transducer, in up to three units.
///
///     $--DBT,x.x,f,x.x,M,x.x,F*hh
///     $SDDBT,16.4,f,5.0,M,2.7,F*35
public struct DBT: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "DBT"
    /// The first unit.
    public static let minimumFieldCount = 2

    /// Feet.
    public var depthFeet: Double?
    /// Metres.
    public var depthMetres: Double?
    /// Fathoms.
    public var depthFathoms: Double?

    public init() {}

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.decimal(&depthFeet, unit: "f")
        coder.decimal(&depthMetres, unit: "M")
        coder.decimal(&depthFathoms, unit: "F")
    }

    /// Metres, from whichever unit is filled.
    public var depth: Double? {
        depthMetres ?? depthFeet.map { $0 * 0.3048 } ?? depthFathoms.map { $0 * 1.8288 }
    }
}
