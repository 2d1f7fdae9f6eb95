// SPDX-License-Identifier: MIT
import GNSS

/// Rudder angles.
///
///     $--RSA,x.x,A,x.x,A*hh
///     $IIRSA,10.5,A,-0.4,V*4A
public struct RSA: InstrumentSentence, Hashable {
    public static let formatter: SentenceFormatter = "RSA"
    /// The two fields of the starboard rudder are required.
    public static let minimumFieldCount = 2

    /// The angle of the starboard or single rudder in degrees; negative to port.
    public var starboard: Double?
    /// The status: `A` valid, `V` not valid.
    public var starboardStatus: UInt8?
    /// The angle of the port rudder in degrees; negative to port.
    public var port: Double?
    /// The status: `A` valid, `V` not valid.
    public var portStatus: UInt8?

    public init() {}

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.decimal(&starboard)
        coder.letter(&starboardStatus)
        coder.decimal(&port)
        coder.letter(&portStatus)
    }

    /// Sets the angle of the starboard or single rudder, or removes it if it is invalid.
    public func contribute(to epoch: inout Epoch) {
        guard let starboardStatus else { return }
        epoch.fill(.rudder, starboard, isValid: starboardStatus == UInt8(ascii: "A"))
    }
}
