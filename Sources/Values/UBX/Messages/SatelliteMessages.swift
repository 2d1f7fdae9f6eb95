// SPDX-License-Identifier: MIT
public import GNSS

/// The satellites in view: `NAV-SAT`.
public struct NavSAT: UBXMessage {
    public static let id = UBXMessageID(0x01, 0x35)

    /// One satellite in the list.
    public struct Satellite: UBXBlock {
        /// The state of the satellite.
        public struct Flags: UBXValue {
            public var rawValue: UInt32
            public init(rawValue: UInt32) { self.rawValue = rawValue }
            /// The quality of the received signal.
            public var quality: UBXSignalQuality {
                UBXSignalQuality(rawValue: UInt8(rawValue.bits(0...2)))
            }
            /// Whether the solution uses the satellite.
            public var isUsed: Bool { rawValue.hasBit(3) }
            /// The health of the satellite; `nil` for an undefined number.
            public var health: UBXHealth? { UBXHealth(rawValue: UInt8(rawValue.bits(4...5))) }
            /// Whether differential corrections are available.
            public var hasCorrections: Bool { rawValue.hasBit(6) }
            /// Whether the range is smoothed by the carrier phase.
            public var isSmoothed: Bool { rawValue.hasBit(7) }
            /// The source of the satellite's orbit: 0 unknown, 1 ephemeris, 2 almanac, 3 and above
            /// assistance data.
            public var orbitSource: UInt32 { rawValue.bits(8...10) }
            /// Whether the solution uses SBAS corrections for the satellite.
            public var usesSBAS: Bool { rawValue.hasBit(16) }
            /// Whether the solution uses RTCM corrections for the satellite.
            public var usesRTCM: Bool { rawValue.hasBit(17) }
            /// Whether the solution uses QZSS SLAS corrections for the satellite.
            public var usesSLAS: Bool { rawValue.hasBit(18) }
            /// Whether the solution uses SPARTN corrections for the satellite.
            public var usesSPARTN: Bool { rawValue.hasBit(19) }
            /// Whether the solution uses QZSS CLAS corrections for the satellite.
            public var usesCLAS: Bool { rawValue.hasBit(23) }
            /// Whether the solution uses Galileo HAS corrections for the satellite.
            public var usesHAS: Bool { rawValue.hasBit(25) }
        }

        /// The constellation's number (`gnssId`).
        public var gnssID: UInt8 = 0
        /// The satellite's number within the constellation.
        public var svid: UInt8 = 0
        /// The carrier-to-noise density in dB-Hz; 0 if the satellite is not tracked.
        public var cn0: UInt8 = 0
        /// The elevation in degrees above the horizon; `nil` if elevation and azimuth are unknown.
        public var elevation: Double?
        /// The azimuth in degrees from true north. It has no meaning if `elevation` is `nil`.
        public var azimuth: Int16 = 0
        /// The range residual in metres: the difference between the measured range and the one
        /// calculated from the solution.
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

        /// The id of the satellite; `nil` if `SatelliteID` cannot represent it.
        public var satellite: SatelliteID? { SatelliteID(gnssID: gnssID, svid: svid) }
    }

    /// The GPS time of week in milliseconds.
    public var timeOfWeekMilliseconds: UInt32 = 0
    /// The version of the message.
    public var version: UInt8 = 1
    /// The satellites in view.
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
