// SPDX-License-Identifier: MIT

/// The constellations that the chip can receive: `MON-GNSS`, version 0. Later versions list signal
/// plans.
public struct MonGNSS: UBXMessage {
    public static let id = UBXMessageID(0x0A, 0x28)

    /// A set of constellations.
    public struct Constellations: UBXValue {
        public var rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// Whether the set contains GPS.
        public var hasGPS: Bool { rawValue.hasBit(0) }
        /// Whether the set contains GLONASS.
        public var hasGLONASS: Bool { rawValue.hasBit(1) }
        /// Whether the set contains BeiDou.
        public var hasBeiDou: Bool { rawValue.hasBit(2) }
        /// Whether the set contains Galileo.
        public var hasGalileo: Bool { rawValue.hasBit(3) }
    }

    /// The version of the message.
    public var version: UInt8 = 0
    /// The constellations that the chip can receive.
    public var supported = Constellations(rawValue: 0)
    /// The constellations enabled by default.
    public var defaults = Constellations(rawValue: 0)
    /// The constellations that are enabled now.
    public var enabled = Constellations(rawValue: 0)
    /// The number of constellations that can be enabled at the same time.
    public var simultaneous: UInt8 = 0

    public init() {}

    public mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&version)
        coder.value(&supported)
        coder.value(&defaults)
        coder.value(&enabled)
        coder.integer(&simultaneous)
        coder.reserved(3)
    }
}
