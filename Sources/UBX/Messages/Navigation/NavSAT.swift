// SPDX-License-Identifier: MIT
public import GNSS

/// Satellites in view: `NAV-SAT`.
public struct NavSAT: UBXMessage {
    public static let id = UBXMessageID(0x01, 0x35)

    /// One satellite.
    public struct Satellite: UBXBlock {
        /// The state of the satellite.
        public struct Flags: UBXValue {
            public var rawValue: UInt32
            public init(rawValue: UInt32) { self.rawValue = rawValue }
            /// How well it is received.
            public var quality: UBXSignalQuality {
                UBXSignalQuality(rawValue: UInt8(rawValue.bits(0...2)))
            }
            /// The solution uses it.
            public var isUsed: Bool { rawValue.hasBit(3) }
            /// Its health; `nil` for a number without a meaning.
            public var health: UBXHealth? { UBXHealth(rawValue: UInt8(rawValue.bits(4...5))) }
            /// Corrections are available.
            public var hasCorrections: Bool { rawValue.hasBit(6) }
            /// The range is smoothed by the carrier.
            public var isSmoothed: Bool { rawValue.hasBit(7) }
            /// The source of its orbit: 0 unknown, 1 ephemeris, 2 almanac, 3 and above assistance.
            public var orbitSource: UInt32 { rawValue.bits(8...10) }
            /// Corrections of SBAS were used.
            public var usesSBAS: Bool { rawValue.hasBit(16) }
            /// Corrections of RTCM were used.
            public var usesRTCM: Bool { rawValue.hasBit(17) }
            /// Corrections of QZSS SLAS were used.
            public var usesSLAS: Bool { rawValue.hasBit(18) }
            /// Corrections of SPARTN were used.
            public var usesSPARTN: Bool { rawValue.hasBit(19) }
            /// Corrections of QZSS CLAS were used.
            public var usesCLAS: Bool { rawValue.hasBit(23) }
        }

        /// The constellation's number.
        public var gnssID: UInt8 = 0
        /// The satellite's number within the constellation.
        public var svid: UInt8 = 0
        /// dB-Hz; 0 where it is not tracked.
        public var cn0: UInt8 = 0
        /// Degrees above the horizon; `nil` if it is unknown; then the azimuth is, too.
        public var elevation: Double?
        /// Degrees from true north.
        public var azimuth: Int16 = 0
        /// Metres by which the range differs from the solution.
        public var residual: Double = 0
        /// The state of the satellite.
        public var flags = Flags(rawValue: 0)

        public init() {}

        public mutating func fields(_ coder: inout some UBXCoder) {
            coder.integer(&gnssID)
            coder.integer(&svid)
            coder.integer(&cn0)
            coder.scaled(&elevation, Int8.self, absent: -91)
            coder.integer(&azimuth)
            coder.scaled(&residual, Int16.self, per: 10)
            coder.value(&flags)
        }

        /// The satellite; `nil` if it is not one that `SatelliteID` knows.
        public var satellite: SatelliteID? { SatelliteID(gnssID: gnssID, svid: svid) }
    }

    /// GPS time of week in milliseconds.
    public var timeOfWeekMilliseconds: UInt32 = 0
    /// The version of the message.
    public var version: UInt8 = 1
    /// The satellites.
    public var satellites: [Satellite] = []

    public init() {}

    public mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&timeOfWeekMilliseconds)
        coder.integer(&version)
        coder.count(of: &satellites)
        coder.reserved(2)
        coder.elements(&satellites)
    }
}
