// SPDX-License-Identifier: MIT

/// Angle of the rudders.
///
///     $--RSA,x.x,A,x.x,A*hh
///     $IIRSA,10.5,A,-0.4,V*4A
public struct RSA: DeclaredSentence, Hashable {
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

    public init() {}

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.decimal(&starboard)
        coder.letter(&starboardStatus)
        coder.decimal(&port)
        coder.letter(&portStatus)
    }
}
