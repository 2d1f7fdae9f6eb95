// SPDX-License-Identifier: MIT
public import GNSS

/// Satellites in view, of generations 4 to 7: `NAV-SVINFO`.
public struct NavSVINFO: UBXMessage {
    public static let id = UBXMessageID(0x01, 0x30)

    /// One satellite.
    public struct Satellite: UBXBlock {
        /// The state of the satellite.
        public struct Flags: UBXValue {
            public var rawValue: UInt8
            public init(rawValue: UInt8) { self.rawValue = rawValue }
            /// The solution uses it.
            public var isUsed: Bool { rawValue.hasBit(0) }
            /// Corrections are available.
            public var hasCorrections: Bool { rawValue.hasBit(1) }
            /// Its orbit is known.
            public var hasOrbit: Bool { rawValue.hasBit(2) }
            /// Its ephemeris is known.
            public var hasEphemeris: Bool { rawValue.hasBit(3) }
            /// It is unhealthy.
            public var isUnhealthy: Bool { rawValue.hasBit(4) }
        }

        /// The channel that receives it; 255 for none.
        public var channel: UInt8 = 0
        /// One number for all constellations.
        public var number: UInt8 = 0
        /// The state of the satellite.
        public var flags = Flags(rawValue: 0)
        /// How well it is received; the upper four bits are reserved.
        public var quality = UBXSignalQuality.none
        /// dB-Hz; 0 where it is not tracked.
        public var cn0: UInt8 = 0
        /// Degrees above the horizon; `nil` if it is unknown; then the azimuth is, too.
        public var elevation: Double?
        /// Degrees from true north.
        public var azimuth: Int16 = 0
        /// Metres by which the range differs from the solution.
        public var residual: Double = 0

        public init() {}

        public mutating func fields(_ coder: inout some UBXCoder) {
            coder.integer(&channel)
            coder.integer(&number)
            coder.value(&flags)
            coder.value(&quality)
            coder.integer(&cn0)
            coder.scaled(&elevation, Int8.self, absent: -91)
            coder.integer(&azimuth)
            coder.scaled(&residual, Int32.self, per: 100)
        }

        /// The satellite; `nil` if the number is unknown.
        public var satellite: SatelliteID? { SatelliteID(singleNumber: number) }
    }

    /// GPS time of week in milliseconds.
    public var timeOfWeekMilliseconds: UInt32 = 0
    /// The generation of the chip.
    public var chip: UInt8 = 0
    /// The satellites.
    public var satellites: [Satellite] = []

    public init() {}

    public mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&timeOfWeekMilliseconds)
        coder.count(of: &satellites)
        coder.integer(&chip)
        coder.reserved(2)
        coder.elements(&satellites)
    }
}
