// SPDX-License-Identifier: MIT
public import GNSS

/// A waypoint.
///
///     $--WPL,ddmm.mm,a,dddmm.mm,a,c--c*hh
///     $GPWPL,4917.16000,N,12310.64000,W,HARBOUR*07
public struct WPL: Sentence, Hashable {
    /// `WPL`.
    public static let formatter: SentenceFormatter = "WPL"
    /// Everything.
    public static let minimumFieldCount = 5

    /// Degrees.
    public var coordinate: Coordinate?
    /// Its name.
    public var name: String?

    /// Reads the fields.
    public init(_ fields: inout FieldReader) throws(NMEAError) {
        coordinate = fields.coordinate()
        name = fields.text()
    }

    /// Creates a sentence with all fields `nil`.
    public init() {}

    /// Writes the fields.
    public func encode(into writer: inout SentenceWriter) {
        writer.coordinate(coordinate)
        writer.text(name)
    }
}
