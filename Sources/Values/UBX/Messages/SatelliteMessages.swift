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
            /// Whether the solution uses SBAS corrections for the satellite.
            package var usesSBAS: Bool { rawValue.hasBit(16) }
            /// Whether the solution uses RTCM corrections for the satellite.
            package var usesRTCM: Bool { rawValue.hasBit(17) }
            /// Whether the solution uses QZSS SLAS corrections for the satellite.
            package var usesSLAS: Bool { rawValue.hasBit(18) }
            /// Whether the solution uses SPARTN corrections for the satellite.
            package var usesSPARTN: Bool { rawValue.hasBit(19) }
            /// Whether the solution uses QZSS CLAS corrections for the satellite.
            package var usesCLAS: Bool { rawValue.hasBit(23) }
            /// Whether the solution uses Galileo HAS corrections for the satellite.
            package var usesHAS: Bool { rawValue.hasBit(25) }
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
        public var residual: Double {
            get { Double(residualTenths) / 10 }
            set { residualTenths = Int16(rounding: newValue * 10) }
        }
        /// The range residual as it is sent, in tenths of a metre.
        package var residualTenths: Int16 = 0
        /// The state of the satellite.
        public var flags = Flags(rawValue: 0)

        public init() {}

        public mutating func fields(_ coder: inout some UBXCoder) {
            coder.integers(&gnssID, &svid, &cn0)
            coder.scaled(&elevation, Int8.self, absent: -91)
            coder.integer(&azimuth)
            coder.integer(&residualTenths)
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
        coder.integers(&timeOfWeekMilliseconds, &version)
        coder.count(of: &satellites)
        coder.reserved(2)
        coder.elements(&satellites)
    }
}

/// The signals in view: `NAV-SIG`.
package struct NavSIG: UBXMessage {
    package static let id = UBXMessageID(0x01, 0x43)

    package struct Signal: UBXBlock {
        package struct Flags: UBXValue {
            package var rawValue: UInt16
            package init(rawValue: UInt16) { self.rawValue = rawValue }
            /// The health of the signal; `nil` for an undefined number.
            package var health: UBXHealth? { UBXHealth(rawValue: UInt8(rawValue.bits(0...1))) }
            /// Whether the solution uses the pseudorange.
            package var usesRange: Bool { rawValue.hasBit(3) }
        }

        /// The constellation's number (`gnssId`).
        package var gnssID: UInt8 = 0
        /// The satellite's number within the constellation.
        package var svid: UInt8 = 0
        /// The signal's number within the constellation, in u-blox's numbering.
        package var signalID: UInt8 = 0
        /// The GLONASS frequency channel plus 7.
        package var frequencyID: UInt8 = 0
        /// The range residual in tenths of a metre: the difference between the measured range and the
        /// one calculated from the solution.
        package var residualTenths: Int16 = 0
        /// The carrier-to-noise density in dB-Hz; 0 if the signal is not tracked.
        package var cn0: UInt8 = 0
        package var quality = UBXSignalQuality.none
        /// The source of the corrections for the signal: 0 none, 1 SBAS, 2 BeiDou, 3 RTCM 2, 4 RTCM
        /// 3 (observations), 5 RTCM 3 (states), 6 SLAS, 7 SPARTN…
        package var correctionSource: UInt8 = 0
        /// The model that corrects the ionospheric delay: 0 none, 1 Klobuchar (GPS), 2 SBAS, 3
        /// Klobuchar (BeiDou), 8 two frequencies.
        package var ionosphereModel: UInt8 = 0
        package var flags = Flags(rawValue: 0)

        package init() {}

        package mutating func fields(_ coder: inout some UBXCoder) {
            coder.integers(&gnssID, &svid, &signalID, &frequencyID)
            coder.integer(&residualTenths)
            coder.integer(&cn0)
            coder.value(&quality)
            coder.integers(&correctionSource, &ionosphereModel)
            coder.value(&flags)
            coder.reserved(4)
        }

        /// The id of the satellite; `nil` if `SatelliteID` cannot represent it.
        package var satellite: SatelliteID? { SatelliteID(gnssID: gnssID, svid: svid) }
    }

    package var timeOfWeekMilliseconds: UInt32 = 0
    package var version: UInt8 = 0
    package var signals: [Signal] = []

    package init() {}

    package mutating func fields(_ coder: inout some UBXCoder) {
        coder.integers(&timeOfWeekMilliseconds, &version)
        coder.count(of: &signals)
        coder.reserved(2)
        coder.elements(&signals)
    }
}

/// The satellites in view, from chips of generations 4 to 7: `NAV-SVINFO`.
package struct NavSVINFO: UBXMessage {
    package static let id = UBXMessageID(0x01, 0x30)

    package struct Satellite: UBXBlock {
        package struct Flags: UBXValue {
            package var rawValue: UInt8
            package init(rawValue: UInt8) { self.rawValue = rawValue }
            /// Whether the solution uses the satellite.
            package var isUsed: Bool { rawValue.hasBit(0) }
            package var isUnhealthy: Bool { rawValue.hasBit(4) }
        }

        /// The channel that tracks the satellite; 255 if there is none.
        package var channel: UInt8 = 0
        /// The number of the satellite in u-blox's single-number scheme, which covers all
        /// constellations.
        package var number: UInt8 = 0
        package var flags = Flags(rawValue: 0)
        /// The quality of the received signal. The upper four bits are reserved.
        package var quality = UBXSignalQuality.none
        /// The carrier-to-noise density in dB-Hz; 0 if the satellite is not tracked.
        package var cn0: UInt8 = 0
        /// The elevation in degrees above the horizon; `nil` if elevation and azimuth are unknown.
        package var elevation: Double?
        /// The azimuth in degrees from true north. It has no meaning if `elevation` is `nil`.
        package var azimuth: Int16 = 0
        /// The range residual in metres: the difference between the measured range and the one
        /// calculated from the solution.
        package var residual: Double = 0

        package init() {}

        package mutating func fields(_ coder: inout some UBXCoder) {
            coder.integers(&channel, &number)
            coder.value(&flags)
            coder.value(&quality)
            coder.integer(&cn0)
            coder.scaled(&elevation, Int8.self, absent: -91)
            coder.integer(&azimuth)
            coder.scaled(&residual, Int32.self, per: 100)
        }

        /// The satellite; `nil` if the number is unknown.
        package var satellite: SatelliteID? { SatelliteID(singleNumber: number) }
    }

    package var timeOfWeekMilliseconds: UInt32 = 0
    /// The generation of the chip, as a number defined by u-blox.
    package var chip: UInt8 = 0
    package var satellites: [Satellite] = []

    package init() {}

    package mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&timeOfWeekMilliseconds)
        coder.count(of: &satellites)
        coder.integer(&chip)
        coder.reserved(2)
        coder.elements(&satellites)
    }
}
