// SPDX-License-Identifier: MIT

/// Depth, and how far the transducer is from waterline or keel.
///
///     $--DPT,x.x,x.x,x.x*hh
///     $SDDPT,7.9,-1.2,50.0*40
public struct DPT: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "DPT"

    /// Metres below the transducer.
    public var depth: Double?
    /// Metres from the transducer: positive to the waterline, negative to the keel.
    public var offset: Double?
    /// NMEA 3.0: metres that the sounder is set to.
    public var maximumRange: Double?

    public init() {}

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.decimal(&depth)
        coder.decimal(&offset)
        coder.decimal(&maximumRange)
    }

    /// Metres below the keel; `nil` unless the offset is the keel's.
    public var depthBelowKeel: Double? {
        guard let depth, let offset, offset < 0 else { return nil }
        return depth + offset
    }

    /// Metres below the waterline; `nil` unless the offset is the waterline's.
    public var depthBelowSurface: Double? {
        guard let depth, let offset, offset > 0 else { return nil }
        return depth + offset
    }
}
