// SPDX-License-Identifier: MIT

/// Rate of turn.
///
///     $--ROT,x.x,A*hh
///     $TIROT,-35.6,A*26
public struct ROT: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "ROT"

    /// The rate of turn in degrees per minute; negative to port.
    public var rate: Double?
    /// The status: `A` valid, `V` not valid.
    public var status: UInt8?

    public init() {}

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.decimal(&rate)
        coder.letter(&status)
    }

    /// Sets the rate of turn if it is valid.
    public func contribute(to epoch: inout Epoch) {
        guard status != UInt8(ascii: "V") else { return }
        epoch.fill(\.attitude.rateOfTurn, rate.map { $0 / 60 })
    }
}
