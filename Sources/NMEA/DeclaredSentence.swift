// SPDX-License-Identifier: MIT

/// A sentence whose fields are declared once, in wire order, for reading and for writing.
///
/// Where fields depend on each other or on how many there are, conform to `Sentence` alone.
public protocol DeclaredSentence: Sentence {
    /// Creates a sentence without any value.
    init()

    /// Passes each field to the coder, in wire order.
    mutating func fields(_ coder: inout some FieldCoder)
}

extension DeclaredSentence {
    /// Reads the declared fields.
    @inline(__always)
    public init(_ fields: inout FieldReader) throws(NMEAError) {
        self.init()
        self.fields(&fields)
    }

    /// Writes the declared fields.
    public func encode(into writer: inout SentenceWriter) {
        var sentence = self
        sentence.fields(&writer)
    }
}
