// SPDX-License-Identifier: MIT

/// Angle of the rudders.
///
///     $--RSA,x.x,A,x.x,A*hh
///     $IIRSA,10.5,A,-0.4,V*4A
public struct RSA: Sentence, Hashable {
    /// `RSA`.
    public static let formatter: SentenceFormatter = "RSA"
    /// One rudder.
    public static let minimumFieldCount = 2

    /// Degrees of the starboard or only rudder, negative to port.
    public var starboard: Double?
    /// `A` valid, `V` not.
    public var starboardStatus: UInt8?
    /// Degrees of the port rudder, negative to port.
    public var port: Double?
    /// `A` valid, `V` not.
    public var portStatus: UInt8?

    /// Reads the fields.
    public init(_ fields: inout FieldReader) throws(NMEAError) {
        starboard = fields.decimal()
        starboardStatus = fields.letter()
        port = fields.decimal()
        portStatus = fields.letter()
    }

    /// Creates a sentence with all fields `nil`.
    public init() {}

    /// Writes the fields.
    public func encode(into writer: inout SentenceWriter) {
        writer.decimal(starboard, decimals: 1)
        writer.letter(starboardStatus)
        writer.decimal(port, decimals: 1)
        writer.letter(portStatus)
    }
}
