// SPDX-License-Identifier: MIT
import GNSS

/// Depth below the transducer, in up to three units.
///
///     $--DBT,x.x,f,x.x,M,x.x,F*hh
///     $SDDBT,16.4,f,5.0,M,2.7,F*35
public struct DBT: InstrumentSentence, Hashable {
    public static let formatter: SentenceFormatter = "DBT"
    /// The first two fields are required: the depth in feet and its unit.
    public static let minimumFieldCount = 2

    /// The depth in feet.
    public var depthFeet: Double?
    /// The depth in metres.
    public var depthMetres: Double?
    /// The depth in fathoms.
    public var depthFathoms: Double?

    public init() {}

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.depth(
            feet: &depthFeet, metres: &depthMetres, fathoms: &depthFathoms, in: 0...1e9)
    }

    /// Sets the depth below the transducer and, if DBK or DBS came before, the offset.
    public func contribute(to epoch: inout Epoch) {
        epoch.fill(.depth, depth)
        epoch.fillDepthOffset()
    }

    /// The depth in metres, converted from feet or fathoms if the field in metres is empty.
    public var depth: Double? {
        Depth.metres(depthMetres, feet: depthFeet, fathoms: depthFathoms)
    }
}
