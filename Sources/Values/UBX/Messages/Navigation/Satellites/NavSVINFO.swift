// SPDX-License-Identifier: MIT
public import GNSS

/// The satellites in view, from chips of generations 4 to 7: `NAV-SVINFO`.
public struct NavSVINFO: UBXMessage {
    public static let id = UBXMessageID(0x01, 0x30)

    /// One satellite in the list.
    public struct Satellite: UBXBlock {
        /// The state of the satellite.
        public struct Flags: UBXValue {
            public var rawValue: UInt8
            public init(rawValue: UInt8) { self.rawValue = rawValue }
            /// Whether the solution uses the satellite.
            public var isUsed: Bool { rawValue.hasBit(0) }
            /// Whether differential corrections are available.
            public var hasCorrections: Bool { rawValue.hasBit(1) }
            /// Whether the orbit of the satellite is known.
            public var hasOrbit: Bool { rawValue.hasBit(2) }
            /// Whether the ephemeris of the satellite is known.
            public var hasEphemeris: Bool { rawValue.hasBit(3) }
            /// Whether the satellite is unhealthy.
            public var isUnhealthy: Bool { rawValue.hasBit(4) }
        }

        /// The channel that tracks the satellite; 255 if there is none.
        public var channel: UInt8 = 0
        /// The number of the satellite in u-blox's single-number scheme, which covers all
        /// constellations.
        public var number: UInt8 = 0
        /// The state of the satellite.
        public var flags = Flags(rawValue: 0)
        /// The quality of the received signal. The upper four bits are reserved.
        public var quality = UBXSignalQuality.none
        /// The carrier-to-noise density in dB-Hz; 0 if the satellite is not tracked.
        public var cn0: UInt8 = 0
        /// The elevation in degrees above the horizon; `nil` if elevation and azimuth are unknown.
        public var elevation: Double?
        /// The azimuth in degrees from true north. It has no meaning if `elevation` is `nil`.
        public var azimuth: Int16 = 0
        /// The range residual in metres: the difference between the measured range and the one
        /// calculated from the solution.
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

    /// The GPS time of week in milliseconds.
    public var timeOfWeekMilliseconds: UInt32 = 0
    /// The generation of the chip, as a number defined by u-blox.
    public var chip: UInt8 = 0
    /// The satellites in view.
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
