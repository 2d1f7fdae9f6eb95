// SPDX-License-Identifier: MIT
import GNSS

/// What the sentences of instruments have reported that later sentences refer to.
struct InstrumentContext: Hashable, Sendable {
    /// The depth below the keel in metres, if DBK has reported it since the previous fix; otherwise
    /// `nil`.
    var belowKeel: Double?
    /// The depth below the surface in metres, if DBS has reported it since the previous fix;
    /// otherwise `nil`.
    var belowSurface: Double?

    /// Whether a depth below the keel or the surface is known.
    var hasDepth: Bool { belowKeel != nil || belowSurface != nil }
}

extension Epoch {
    /// Calculates the offset of the transducer from the depth below it and the depth below the keel
    /// or the surface. Has no effect if one of the depths is unknown, or if the offset is known.
    mutating func fillDepthOffset() {
        guard instrumentContext.hasDepth, let belowTransducer = fix.instruments[.depth],
            fix.instruments[.depthOffset] == nil
        else { return }
        if let keel = instrumentContext.belowKeel, keel < belowTransducer {
            fill(.depthOffset, keel - belowTransducer)
        } else if let surface = instrumentContext.belowSurface, surface > belowTransducer {
            fill(.depthOffset, surface - belowTransducer)
        }
    }
}

extension FixAssembler {
    /// Discards the values of instruments that would belong to the next fix.
    mutating func forgetInstruments() {
        nextAttitude.instruments = Instruments()
        (epoch.instrumentContext.belowKeel, epoch.instrumentContext.belowSurface) = (nil, nil)
    }
}
