// SPDX-License-Identifier: MIT

/// Datum: against what positions are measured.
///
///     $--DTM,ccc,a,x.x,a,x.x,a,x.x,ccc*hh
///     $GPDTM,999,CH95,0.08,N,0.07,E,-47.7,W84*1C
public struct DTM: Sentence, Hashable {
    /// `DTM`.
    public static let formatter: SentenceFormatter = "DTM"
    /// Everything.
    public static let minimumFieldCount = 8

    /// `W84`, `W72`, `S85`, `P90`, `999` for one of the user's, or an IHO code.
    public var localDatum: String?
    /// Its subdivision.
    public var subcode: String?
    /// Minutes, north positive.
    public var latitudeOffset: Double?
    /// Minutes, east positive.
    public var longitudeOffset: Double?
    /// Metres.
    public var altitudeOffset: Double?
    /// What the offsets are from.
    public var referenceDatum: String?

    /// Reads the fields.
    public init(_ fields: inout FieldReader) throws(NMEAError) {
        localDatum = fields.text()
        subcode = fields.text()
        latitudeOffset = fields.decimal(plus: "N", minus: "S")
        longitudeOffset = fields.decimal(plus: "E", minus: "W")
        altitudeOffset = fields.decimal()
        referenceDatum = fields.text()
    }

    /// Creates a sentence with all fields `nil`.
    public init() {}

    /// Writes the fields.
    public func encode(into writer: inout SentenceWriter) {
        writer.text(localDatum)
        writer.text(subcode)
        writer.decimal(latitudeOffset, decimals: 3, plus: "N", minus: "S")
        writer.decimal(longitudeOffset, decimals: 3, plus: "E", minus: "W")
        writer.decimal(altitudeOffset, decimals: 1)
        writer.text(referenceDatum)
    }
}
