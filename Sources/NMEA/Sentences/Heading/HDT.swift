// SPDX-License-Identifier: MIT

/// True heading: where the bow points, which is not where it goes.
///
///     $--HDT,x.x,T*hh
///     $HEHDT,123.4,T*2B
public struct HDT: Sentence, Hashable {
    /// `HDT`.
    public static let formatter: SentenceFormatter = "HDT"
    /// The heading.
    public static let minimumFieldCount = 1

    /// Degrees true.
    public var heading: Double?

    /// Reads the fields.
    public init(_ fields: inout FieldReader) throws(NMEAError) {
        heading = fields.bearing(unit: "T")
    }

    /// Creates a sentence with all fields `nil`.
    public init() {}

    /// Writes the fields.
    public func encode(into writer: inout SentenceWriter) {
        writer.decimal(heading, decimals: 1, unit: "T")
    }

    /// The true heading.
    public func contribute(to epoch: inout Epoch) {
        epoch.fill(trueHeading: heading)
    }
}
