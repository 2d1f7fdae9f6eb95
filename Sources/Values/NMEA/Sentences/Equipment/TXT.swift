// SPDX-License-Identifier: MIT

/// A text message from the receiver.
///
///     $--TXT,xx,xx,xx,c--c*hh
///     $GPTXT,01,01,02,ANTENNA OK*36
public struct TXT: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "TXT"

    /// The number of sentences in the set.
    public var total: Int?
    /// The number of this sentence in the set, from 1.
    public var part: Int?
    /// The kind of text. For u-blox: 0 error, 1 warning, 2 notice, 7 user.
    public var identifier: Int?
    /// The text, with escapes decoded.
    public var text: String?

    public init() {}

    public init(_ fields: inout FieldReader) throws(NMEAError) {
        // Some receivers send only the text.
        if fields.count < 4 { text = fields.remainingText() } else { self.fields(&fields) }
    }

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.integer(&total, width: 2)
        coder.integer(&part, width: 2)
        coder.integer(&identifier, width: 2)
        // Commas in the text are a receiver error. They are kept.
        coder.field(&text, read: { $0.remainingText() }, write: { $0.text($1) })
    }
}
