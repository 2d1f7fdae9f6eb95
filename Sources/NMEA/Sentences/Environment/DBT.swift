// SPDX-License-Identifier: MIT

/// Depth below the transducer, in up to three units.
///
///     $--DBT,x.x,f,x.x,M,x.x,F*hh
///     $SDDBT,16.4,f,5.0,M,2.7,F*35
public struct DBT: Sentence, Hashable {
    /// `DBT`.
    public static let formatter: SentenceFormatter = "DBT"
    /// The first unit.
    public static let minimumFieldCount = 2

    /// Feet.
    public var depthFeet: Double?
    /// Metres.
    public var depthMetres: Double?
    /// Fathoms.
    public var depthFathoms: Double?

    /// Reads the fields.
    public init(_ fields: inout FieldReader) throws(NMEAError) {
        depthFeet = fields.decimal(unit: "f")
        depthMetres = fields.decimal(unit: "M")
        depthFathoms = fields.decimal(unit: "F")
    }

    /// Creates a sentence with all fields `nil`.
    public init() {}

    /// Writes the fields.
    public func encode(into writer: inout SentenceWriter) {
        writer.decimal(depthFeet, decimals: 1, unit: "f")
        writer.decimal(depthMetres, decimals: 1, unit: "M")
        writer.decimal(depthFathoms, decimals: 1, unit: "F")
    }

    /// Metres, from whichever unit is filled.
    public var depth: Double? {
        depthMetres ?? depthFeet.map { $0 * 0.3048 } ?? depthFathoms.map { $0 * 1.8288 }
    }
}
