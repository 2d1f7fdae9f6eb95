// SPDX-License-Identifier: MIT

/// Revolutions of an engine or a shaft.
///
///     $--RPM,a,x,x.x,x.x,A*hh
///     $IIRPM,E,1,2418.2,10.5,A*5F
public struct RPM: DeclaredSentence, Hashable {
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

    public init() {}

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.letter(&origin)
        coder.integer(&number)
        coder.decimal(&rate)
        coder.decimal(&pitch)
        coder.letter(&status)
    }
}
