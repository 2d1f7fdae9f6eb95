// SPDX-License-Identifier: MIT

/// Temperature of the water.
///
///     $--MTW,x.x,C*hh
///     $IIMTW,17.5,C*10
public struct MTW: Sentence, Hashable {
    /// `MTW`.
    public static let formatter: SentenceFormatter = "MTW"
    /// The temperature.
    public static let minimumFieldCount = 1

    /// Degrees Celsius.
    public var temperature: Double?

    /// Reads the fields.
    public init(_ fields: inout FieldReader) throws(NMEAError) {
        temperature = fields.decimal(unit: "C")
    }

    /// Creates a sentence with all fields `nil`.
    public init() {}

    /// Writes the fields.
    public func encode(into writer: inout SentenceWriter) {
        writer.decimal(temperature, decimals: 1, unit: "C")
    }
}
