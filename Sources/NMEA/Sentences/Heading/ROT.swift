// SPDX-License-Identifier: MIT

/// Rate of turn.
///
///     $--ROT,x.x,A*hh
///     $TIROT,-35.6,A*26
public struct ROT: Sentence, Hashable {
    /// `ROT`.
    public static let formatter: SentenceFormatter = "ROT"
    /// The rate.
    public static let minimumFieldCount = 1

    /// Degrees a minute, negative to port.
    public var rate: Double?
    /// `A` valid, `V` not.
    public var status: UInt8?

    /// Reads the fields.
    public init(_ fields: inout FieldReader) throws(NMEAError) {
        rate = fields.decimal()
        status = fields.letter()
    }

    /// Creates a sentence with all fields `nil`.
    public init() {}

    /// Writes the fields.
    public func encode(into writer: inout SentenceWriter) {
        writer.decimal(rate, decimals: 1)
        writer.letter(status)
    }

    /// The rate of turn, unless it is not valid.
    public func contribute(to epoch: inout Epoch) {
        guard status != UInt8(ascii: "V") else { return }
        epoch.fill(\.attitude.rateOfTurn, rate.map { $0 / 60 })
    }
}
