// SPDX-License-Identifier: MIT

/// Raw measurements: `RXM-RAWX`.
public struct RxmRAWX: UBXMessage {
    public static let id = UBXMessageID(0x02, 0x15)

    /// The state of the receiver.
    public struct Status: UBXValue {
        public var rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// Whether the leap seconds are known.
        public var hasLeapSeconds: Bool { rawValue.hasBit(0) }
        /// Whether the receiver's clock was reset.
        public var isClockReset: Bool { rawValue.hasBit(1) }
    }

    /// The measurements of one signal of a satellite.
    public struct Measurement: UBXBlock {
        /// The state of the signal.
        public struct Tracking: UBXValue {
            public var rawValue: UInt8
            public init(rawValue: UInt8) { self.rawValue = rawValue }
            /// Whether the pseudorange is valid.
            public var isRangeValid: Bool { rawValue.hasBit(0) }
            /// Whether the carrier phase is valid.
            public var isPhaseValid: Bool { rawValue.hasBit(1) }
            /// Whether the half-cycle ambiguity of the carrier phase is resolved.
            public var isHalfCycleKnown: Bool { rawValue.hasBit(2) }
            /// Whether a half cycle was subtracted from the carrier phase.
            public var isHalfCycleSubtracted: Bool { rawValue.hasBit(3) }
        }

        /// The pseudorange in metres.
        public var pseudorange: Double = 0
        /// The carrier phase in cycles.
        public var carrierPhase: Double = 0
        /// The Doppler shift in hertz.
        public var doppler: Float = 0
        /// The constellation's number (`gnssId`).
        public var gnssID: UInt8 = 0
        /// The satellite's number within the constellation.
        public var svid: UInt8 = 0
        /// The signal's number within the constellation.
        public var signalID: UInt8 = 0
        /// The GLONASS frequency channel plus 7.
        public var frequencyID: UInt8 = 0
        /// The time for which the carrier has been locked, in milliseconds; at most 64,500.
        public var lockTime: UInt16 = 0
        /// The carrier-to-noise density in dB-Hz.
        public var cn0: UInt8 = 0
        /// The standard deviation of the pseudorange; a value n means 0.01 · 2ⁿ metres.
        public var rangeDeviation: UInt8 = 0
        /// The standard deviation of the carrier phase; a value n means 0.004 · n cycles, and 15
        /// means that the phase is not valid.
        public var phaseDeviation: UInt8 = 0
        /// The standard deviation of the Doppler shift; a value n means 0.002 · 2ⁿ hertz.
        public var dopplerDeviation: UInt8 = 0
        /// The state of the signal.
        public var tracking = Tracking(rawValue: 0)

        public init() {}

        public mutating func fields(_ coder: inout some UBXCoder) {
            coder.double(&pseudorange)
            coder.double(&carrierPhase)
            coder.float(&doppler)
            coder.integer(&gnssID)
            coder.integer(&svid)
            coder.integer(&signalID)
            coder.integer(&frequencyID)
            coder.integer(&lockTime)
            coder.integer(&cn0)
            coder.integer(&rangeDeviation)
            coder.integer(&phaseDeviation)
            coder.integer(&dopplerDeviation)
            coder.value(&tracking)
            coder.reserved(1)
        }
    }

    /// The time of week in seconds, according to the receiver's clock.
    public var timeOfWeek: Double = 0
    /// The GPS week, according to the receiver's clock.
    public var week: UInt16 = 0
    /// The difference between GPS time and UTC in seconds.
    public var leapSeconds: Int8 = 0
    /// The state of the receiver.
    public var status = Status(rawValue: 0)
    /// The version of the message.
    public var version: UInt8 = 1
    /// The measurements, at most 127.
    public var measurements: [Measurement] = []

    public init() {}

    public mutating func fields(_ coder: inout some UBXCoder) {
        coder.double(&timeOfWeek)
        coder.integer(&week)
        coder.integer(&leapSeconds)
        var count = UInt8(clamping: measurements.count)
        coder.integer(&count)
        // Newer firmware uses the highest bit for another purpose.
        coder.resize(&measurements, to: Int(count & 0x7F))
        coder.value(&status)
        coder.integer(&version)
        coder.reserved(2)
        coder.elements(&measurements)
    }
}
