// SPDX-License-Identifier: MIT
public import GNSS

/// The signals in view: `NAV-SIG`.
public struct NavSIG: UBXMessage {
    public static let id = UBXMessageID(0x01, 0x43)

    /// One signal in the list.
    public struct Signal: UBXBlock {
        /// The state of the signal.
        public struct Flags: UBXValue {
            public var rawValue: UInt16
            public init(rawValue: UInt16) { self.rawValue = rawValue }
            /// The health of the signal; `nil` for an undefined number.
            public var health: UBXHealth? { UBXHealth(rawValue: UInt8(rawValue.bits(0...1))) }
            /// Whether the range is smoothed by the carrier phase.
            public var isSmoothed: Bool { rawValue.hasBit(2) }
            /// Whether the solution uses the pseudorange.
            public var usesRange: Bool { rawValue.hasBit(3) }
            /// Whether the solution uses the carrier phase.
            public var usesCarrier: Bool { rawValue.hasBit(4) }
            /// Whether the solution uses the Doppler shift.
            public var usesDoppler: Bool { rawValue.hasBit(5) }
            /// Whether the navigation message of the signal is authenticated.
            public var isAuthenticated: Bool { rawValue.hasBit(9) }
        }

        /// The constellation's number (`gnssId`).
        public var gnssID: UInt8 = 0
        /// The satellite's number within the constellation.
        public var svid: UInt8 = 0
        /// The signal's number within the constellation, in u-blox's numbering.
        public var signalID: UInt8 = 0
        /// The GLONASS frequency channel plus 7.
        public var frequencyID: UInt8 = 0
        /// The range residual in metres: the difference between the measured range and the one
        /// calculated from the solution.
        public var residual: Double = 0
        /// The carrier-to-noise density in dB-Hz; 0 if the signal is not tracked.
        public var cn0: UInt8 = 0
        /// The quality of the received signal.
        public var quality = UBXSignalQuality.none
        /// The source of the corrections for the signal: 0 none, 1 SBAS, 2 BeiDou, 3 RTCM 2, 4 RTCM
        /// 3 (observations), 5 RTCM 3 (states), 6 SLAS, 7 SPARTN…
        public var correctionSource: UInt8 = 0
        /// The model that corrects the ionospheric delay: 0 none, 1 Klobuchar (GPS), 2 SBAS, 3
        /// Klobuchar (BeiDou), 8 two frequencies.
        public var ionosphereModel: UInt8 = 0
        /// The state of the signal.
        public var flags = Flags(rawValue: 0)

        public init() {}

        public mutating func fields(_ coder: inout some UBXCoder) {
            coder.integer(&gnssID)
            coder.integer(&svid)
            coder.integer(&signalID)
            coder.integer(&frequencyID)
            coder.scaled(&residual, Int16.self, per: 10)
            coder.integer(&cn0)
            coder.value(&quality)
            coder.integer(&correctionSource)
            coder.integer(&ionosphereModel)
            coder.value(&flags)
            coder.reserved(4)
        }

        /// The id of the satellite; `nil` if `SatelliteID` cannot represent it.
        public var satellite: SatelliteID? { SatelliteID(gnssID: gnssID, svid: svid) }
    }

    /// The GPS time of week in milliseconds.
    public var timeOfWeekMilliseconds: UInt32 = 0
    /// The version of the message.
    public var version: UInt8 = 0
    /// The signals in view.
    public var signals: [Signal] = []

    public init() {}

    public mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&timeOfWeekMilliseconds)
        coder.integer(&version)
        coder.count(of: &signals)
        coder.reserved(2)
        coder.elements(&signals)
    }
}
