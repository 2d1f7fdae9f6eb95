// SPDX-License-Identifier: MIT

/// One signal of a satellite that is tracked.
public struct ObservedSignal: Hashable, Sendable {
    /// NMEA 4.11's signal id within the constellation, as in `SatelliteSignal`; 1 is the first
    /// civil signal of every constellation but Galileo, whose E1 is 7.
    public var signal: UInt8
    /// Carrier-to-noise density in dB-Hz, not rounded.
    public var cn0: Double

    /// Makes a signal.
    public init(signal: UInt8, cn0: Double) {
        self.signal = signal
        self.cn0 = cn0
    }
}
