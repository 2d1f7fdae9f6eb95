// SPDX-License-Identifier: MIT

/// Temperature of the water.
///
///     $--MTW,x.x,C*hh
///     $IIMTW,17.5,C*10
public struct MTW: DeclaredSentence, Hashable {
    /// `MTW`.
    public static let formatter: SentenceFormatter = "MTW"
    /// The temperature.
    public static let minimumFieldCount = 1

    /// Degrees Celsius.
    public var temperature: Double?

    /// Creates a sentence with all fields `nil`.
    public init() {}

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.decimal(&temperature, unit: "C")
    }
}
