// SPDX-License-Identifier: MIT

/// Temperature of the water.
///
///     $--MTW,x.x,C*hh
///     $IIMTW,17.5,C*10
public struct MTW: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "MTW"

    /// Degrees Celsius.
    public var temperature: Double?

    public init() {}

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.decimal(&temperature, unit: "C")
    }
}
