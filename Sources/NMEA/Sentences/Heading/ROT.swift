// SPDX-License-Identifier: MIT

/// Rate of turn.
///
///     $--ROT,x.x,A*hh
///     $TIROT,-35.6,A*26
public struct ROT: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "ROT"

    /// Degrees a minute, negative to port.
    public var rate: Double?
    /// `A` valid, `V` not.
    public var status: UInt8?

    public init() {}

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.decimal(&rate)
        coder.letter(&status)
    }

    /// The rate of turn, unless it is not valid.
    public func contribute(to epoch: inout Epoch) {
        guard status != UInt8(ascii: "V") else { return }
        epoch.fill(\.attitude.rateOfTurn, rate.map { $0 / 60 })
    }
}
