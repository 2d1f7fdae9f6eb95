// SPDX-License-Identifier: MIT

/// True heading and where it comes from.
///
///     $--THS,x.x,a*hh
///     $GNTHS,217.45,A*1C
public struct THS: Sentence, Hashable {
    /// `THS`.
    public static let formatter: SentenceFormatter = "THS"
    /// Both.
    public static let minimumFieldCount = 2

    /// Degrees true.
    public var heading: Double?
    /// `A` autonomous, `E` estimated, `M` manual, `S` simulated, `V` not valid.
    public var mode: UInt8?

    /// Reads the fields.
    public init(_ fields: inout FieldReader) throws(NMEAError) {
        heading = fields.bearing()
        mode = fields.letter()
    }

    /// Creates a sentence with all fields `nil`.
    public init() {}

    /// Writes the fields.
    public func encode(into writer: inout SentenceWriter) {
        writer.decimal(heading, decimals: 1)
        writer.letter(mode)
    }

    /// The true heading, unless it is not valid.
    public func contribute(to epoch: inout Epoch) {
        guard mode != UInt8(ascii: "V") else { return }
        epoch.fill(trueHeading: heading)
    }
}
