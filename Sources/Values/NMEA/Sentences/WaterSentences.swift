// SPDX-License-Identifier: MIT
import GNSS

/// Depth below the keel, in up to three units. Older sounders send it instead of the offset in DPT.
///
///     $--DBK,x.x,f,x.x,M,x.x,F*hh
///     $SDDBK,12.5,f,3.8,M,2.1,F*27
public struct DBK: InstrumentSentence, Hashable {
    public static let formatter: SentenceFormatter = "DBK"
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
        coder.depth(feet: &depthFeet, metres: &depthMetres, fathoms: &depthFathoms)
    }

    /// Sets the offset of the transducer when the depth below it is also known, unless DPT has
    /// reported the offset. The depth below the keel alone is not a depth below the transducer.
    public func contribute(to epoch: inout Epoch) {
        guard let depth else { return }
        epoch.instrumentContext.belowKeel = depth
        epoch.fillDepthOffset()
    }

    /// The depth in metres, converted from feet or fathoms if the field in metres is empty.
    public var depth: Double? {
        Depth.metres(depthMetres, feet: depthFeet, fathoms: depthFathoms)
    }
}
