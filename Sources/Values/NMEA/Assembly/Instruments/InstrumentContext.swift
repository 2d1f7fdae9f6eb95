// SPDX-License-Identifier: MIT
import GNSS

/// The values in sentences of instruments that later sentences refer to.
struct InstrumentContext: Hashable, Sendable {
    /// The depth below the keel in metres, if DBK has reported it since the previous fix and the
    /// start of the epoch; otherwise `nil`.
    var belowKeel: Double?
    /// The depth below the surface in metres, if DBS has reported it since the previous fix and
    /// the start of the epoch; otherwise `nil`.
    var belowSurface: Double?
    /// Whether the last speed of the true wind came from MWD. This also applies after a fix.
    var isWindSpeedFromMWD = false

    /// Whether a depth below the keel or the surface is known.
    var hasDepth: Bool { belowKeel != nil || belowSurface != nil }
}

extension Epoch {
    /// Empties the epoch for the next one.
    mutating func clear() {
        let isWindSpeedFromMWD = instrumentContext.isWindSpeedFromMWD
        self = Epoch()
        instrumentContext.isWindSpeedFromMWD = isWindSpeedFromMWD
    }

    /// Sets the speed of the true wind unless it is `nil` or not finite.
    mutating func fill(trueWindSpeed speed: Double?, isFromMWD: Bool) {
        guard let speed, speed.isFinite else { return }
        fill(.trueWindSpeed, speed)
        instrumentContext.isWindSpeedFromMWD = isFromMWD
    }

    /// Removes the true wind that MWV reports as invalid. A speed from MWD remains: MWV may be
    /// invalid only because the angle from the bow is unknown.
    mutating func invalidateTrueWind() {
        fill(.trueWindAngle, nil, isValid: false)
        if !instrumentContext.isWindSpeedFromMWD { fill(.trueWindSpeed, nil, isValid: false) }
    }

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
