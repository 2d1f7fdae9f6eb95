// SPDX-License-Identifier: MIT

/// True heading and its source.
///
///     $--THS,x.x,a*hh
///     $GNTHS,217.45,A*1C
public struct THS: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "THS"
    /// Both fields are required.
    public static let minimumFieldCount = 2

    /// The heading in degrees true.
    public var heading: Double?
    /// The source of the heading: `A` autonomous, `E` estimated, `M` manual, `S` simulated, `V` not
    /// valid.
    public var mode: UInt8?

    public init() {}

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.bearing(&heading)
        coder.letter(&mode)
    }

    /// Sets the true heading if it is valid.
    public func contribute(to epoch: inout Epoch) {
        guard mode != UInt8(ascii: "V") else { return }
        epoch.fill(trueHeading: heading)
    }
}
