// SPDX-License-Identifier: MIT

/// Datum of the reported positions.
///
///     $--DTM,ccc,a,x.x,a,x.x,a,x.x,ccc*hh
///     $GPDTM,999,CH95,0.08,N,0.07,E,-47.7,W84*1C
public struct DTM: DatumSentence, Hashable {
    public static let formatter: SentenceFormatter = "DTM"
    /// All fields are required.
    public static let minimumFieldCount = 8

    /// The local datum: `W84`, `W72`, `S85`, `P90`, `999` for a user-defined datum, or an IHO code.
    public var localDatum: String?
    /// The subdivision code of the local datum.
    public var subcode: String?
    /// The offset of the latitude in minutes; positive to the north.
    public var latitudeOffset: Double?
    /// The offset of the longitude in minutes; positive to the east.
    public var longitudeOffset: Double?
    /// The offset of the altitude in metres.
    public var altitudeOffset: Double?
    /// The datum that the offsets refer to.
    public var referenceDatum: String?

    public init() {}

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.text(&localDatum)
        coder.text(&subcode)
        coder.decimal(&latitudeOffset, plus: "N", minus: "S", decimals: 3)
        coder.decimal(&longitudeOffset, plus: "E", minus: "W", decimals: 3)
        coder.decimal(&altitudeOffset)
        coder.text(&referenceDatum)
    }

    /// The name of the local datum if positions in it differ from those in WGS 84; `nil` otherwise.
    public var otherDatum: String? {
        guard let localDatum, localDatum != "W84", localDatum != "WGS84" else { return nil }
        if referenceDatum == "W84", latitudeOffset == 0, longitudeOffset == 0 { return nil }
        return subcode.map { "\(localDatum) \($0)" } ?? localDatum
    }
}

/// A sentence that reports the datum of the positions.
protocol DatumSentence: DeclaredSentence {
    /// The name of the datum if positions in it differ from those in WGS 84; `nil` otherwise.
    var otherDatum: String? { get }
}

extension DatumSentence {
    /// Reads the sentence, and records the datum of the positions.
    public static func receive(
        _ fields: inout FieldReader, into assembler: inout FixAssembler
    ) throws(NMEAError) {
        let sentence = try Self(&fields)
        assembler.otherDatum = sentence.otherDatum
        assembler.receive(sentence, from: fields.address)
    }
}
