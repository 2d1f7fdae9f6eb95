// SPDX-License-Identifier: MIT

/// Magnetic heading.
///
///     $--HDM,x.x,M*hh
///     $HCHDM,238.5,M*25
public struct HDM: Sentence, Hashable {
    /// `HDM`.
    public static let formatter: SentenceFormatter = "HDM"
    /// The heading.
    public static let minimumFieldCount = 1

    /// Degrees magnetic.
    public var heading: Double?

    /// Reads the fields.
    public init(_ fields: inout FieldReader) throws(NMEAError) {
        heading = fields.bearing(unit: "M")
    }

    /// Creates a sentence with all fields `nil`.
    public init() {}

    /// Writes the fields.
    public func encode(into writer: inout SentenceWriter) {
        writer.decimal(heading, decimals: 1, unit: "M")
    }

    /// The magnetic heading.
    public func contribute(to epoch: inout Epoch) {
        epoch.fill(magneticHeading: heading)
    }
}
