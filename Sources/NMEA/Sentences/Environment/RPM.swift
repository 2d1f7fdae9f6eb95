// SPDX-License-Identifier: MIT

/// Revolutions of an engine or a shaft.
///
///     $--RPM,a,x,x.x,x.x,A*hh
///     $IIRPM,E,1,2418.2,10.5,A*5F
public struct RPM: Sentence, Hashable {
    /// `RPM`.
    public static let formatter: SentenceFormatter = "RPM"
    /// Up to the revolutions.
    public static let minimumFieldCount = 3

    /// `S` shaft, `E` engine.
    public var origin: UInt8?
    /// Which one: 0 or a single one in the middle, odd to starboard, even to port.
    public var number: Int?
    /// Revolutions a minute.
    public var rate: Double?
    /// Per cent of the propeller's maximum, negative astern.
    public var pitch: Double?
    /// `A` valid, `V` not.
    public var status: UInt8?

    /// Reads the fields.
    public init(_ fields: inout FieldReader) throws(NMEAError) {
        origin = fields.letter()
        number = fields.integer()
        rate = fields.decimal()
        pitch = fields.decimal()
        status = fields.letter()
    }

    /// Creates a sentence with all fields `nil`.
    public init() {}

    /// Writes the fields.
    public func encode(into writer: inout SentenceWriter) {
        writer.letter(origin)
        writer.integer(number)
        writer.decimal(rate, decimals: 1)
        writer.decimal(pitch, decimals: 1)
        writer.letter(status)
    }
}
