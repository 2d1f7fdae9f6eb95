// SPDX-License-Identifier: MIT

/// A sentence whose fields are declared once, in wire order, for reading and for writing.
///
/// A sentence type of your own takes ten lines of your own code. A proprietary sentence differs
/// only in its formatter, such as `"PACME"` or `"PACME,ALT"`:
///
/// ```swift
/// /// A barometer's altitude: `$--ALT,x.x,M*hh`
/// struct ALT: DeclaredSentence {
///     static let formatter: SentenceFormatter = "ALT"
///     var altitude: Double?
///     mutating func fields(_ coder: inout some FieldCoder) { coder.decimal(&altitude, unit: "M") }
///     func contribute(to epoch: inout Epoch) { epoch.replace(\.altitude, altitude) }
/// }
/// decoder.register(ALT.self)
/// ```
///
/// If the form on the wire depends on the number of fields, the type also has its own `init(_:)`:
/// see `VTG`.
public protocol DeclaredSentence: Sentence {
    /// Creates a sentence with all fields `nil`.
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
