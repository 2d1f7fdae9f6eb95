// SPDX-License-Identifier: MIT

/// A text of the receiver's.
///
///     $--TXT,xx,xx,xx,c--c*hh
///     $GPTXT,01,01,02,ANTENNA OK*36
public struct TXT: Sentence, Hashable {
    /// `TXT`.
    public static let formatter: SentenceFormatter = "TXT"
    /// The text alone: some receivers send no more.
    public static let minimumFieldCount = 1

    /// Sentences in the set.
    public var total: Int?
    /// Which of them this is, from 1.
    public var part: Int?
    /// What kind of text; u-blox: 0 error, 1 warning, 2 notice, 7 user.
    public var identifier: Int?
    /// The text, escapes undone.
    public var text: String?

    /// Reads the fields.
    public init(_ fields: inout FieldReader) throws(NMEAError) {
        // Commas in the text are the receiver's mistake, and kept.
        if fields.count >= 4 {
            total = fields.integer()
            part = fields.integer()
            identifier = fields.integer()
        }
        text = fields.remainingText()
    }

    /// Creates a sentence with all fields `nil`.
    public init() {}

    /// Writes the fields.
    public func encode(into writer: inout SentenceWriter) {
        writer.integer(total, width: 2)
        writer.integer(part, width: 2)
        writer.integer(identifier, width: 2)
        writer.text(text)
    }
}
