// SPDX-License-Identifier: MIT
import GNSS

/// Depth, and the distance of the transducer from the waterline or the keel.
///
///     $--DPT,x.x,x.x,x.x*hh
///     $SDDPT,7.9,-1.2,50.0*40
public struct DPT: InstrumentSentence, Hashable {
    public static let formatter: SentenceFormatter = "DPT"

    /// The depth below the transducer in metres.
    public var depth: Double?
    /// The distance from the transducer in metres: positive to the waterline, negative to the keel.
    public var offset: Double?
    /// The maximum range that the sounder is set to, in metres (NMEA 3.0).
    public var maximumRange: Double?

    public init() {}

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.decimal(&depth, in: 0...1e9)
        coder.field(&offset) {
            $0.decimalWithRepeatedSign()
        } write: {
            $0.decimal($1, decimals: 1)
        }
        coder.decimal(&maximumRange)
    }

    /// Sets the depth and the offset of the transducer. An offset that is missing is calculated if
    /// DBK or DBS came before.
    public func contribute(to epoch: inout Epoch) {
        epoch.fill(.depth, depth)
        if depth != nil { epoch.fill(.depthOffset, offset) }
        epoch.fillDepthOffset()
    }

    /// The depth below the keel in metres; `nil` unless the offset refers to the keel.
    public var depthBelowKeel: Double? {
        guard let depth, let offset, offset < 0 else { return nil }
        return depth + offset
    }

    /// The depth below the waterline in metres; `nil` unless the offset refers to the waterline.
    public var depthBelowSurface: Double? {
        guard let depth, let offset, offset > 0 else { return nil }
        return depth + offset
    }
}
