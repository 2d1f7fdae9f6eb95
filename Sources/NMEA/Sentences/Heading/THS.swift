// SPDX-License-Identifier: MIT

/// True heading and where it comes from.
///
///     $--THS,x.x,a*hh
///     $GNTHS,217.45,A*1C
public struct THS: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "THS"
    /// Both.
    public static let minimumFieldCount = 2

    /// Degrees true.
    public var heading: Double?
    /// `A` autonomous, `E` estimated, `M` manual, `S` simulated, `V` not valid.
    public var mode: UInt8?

    public init() {}

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.bearing(&heading)
        coder.letter(&mode)
    }

    /// The true heading, unless it is not valid.
    public func contribute(to epoch: inout Epoch) {
        guard mode != UInt8(ascii: "V") else { return }
        epoch.fill(trueHeading: heading)
    }
}
