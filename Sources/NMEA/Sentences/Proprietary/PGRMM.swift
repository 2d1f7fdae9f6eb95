// SPDX-License-Identifier: MIT

/// Garmin: the datum of the positions.
///
///     $PGRMM,c--c*hh
///     $PGRMM,WGS 84*06
public struct PGRMM: Sentence, Hashable {
    /// `PGRMM`.
    public static let formatter: SentenceFormatter = "PGRMM"
    /// The name.
    public static let minimumFieldCount = 1

    /// Its name as Garmin spells it.
    public var datum: String?

    /// Reads the fields.
    public init(_ fields: inout FieldReader) throws(NMEAError) {
        datum = fields.text()
    }

    /// Creates a sentence with all fields `nil`.
    public init() {}

    /// Writes the fields.
    public func encode(into writer: inout SentenceWriter) {
        writer.text(datum)
    }
}
