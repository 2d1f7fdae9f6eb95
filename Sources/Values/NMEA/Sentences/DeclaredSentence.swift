// SPDX-License-Identifier: MIT

/// A sentence that declares its fields once, in wire order, for both reading and writing.
///
/// You can define your own sentence type in ten lines. For a proprietary sentence, use a formatter
/// such as `"PACME"` or `"PACME,ALT"`:
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
/// If the format depends on the number of fields, the type must also implement `init(_:)`, as `VTG`
/// does.
public protocol DeclaredSentence: Sentence {
    /// Creates a sentence with all fields `nil`.
    init()

    /// Passes each field to the coder, in wire order.
    mutating func fields(_ coder: inout some FieldCoder)
}

extension DeclaredSentence {
    /// Reads the declared fields by calling `fields(_:)`.
    @inline(__always)
    public init(_ fields: inout FieldReader) throws(NMEAError) {
        self.init()
        self.fields(&fields)
    }

    /// Writes the declared fields by calling `fields(_:)`.
    public func encode(into writer: inout SentenceWriter) {
        var sentence = self
        sentence.fields(&writer)
    }
}

/// A sentence from another instrument, which sends at any time. Its values belong to the next fix.
public protocol InstrumentSentence: DeclaredSentence {}

extension InstrumentSentence {
    /// The sentence comes from another instrument, so its values belong to the next fix.
    public var timing: EpochTiming { .instrument }
}
