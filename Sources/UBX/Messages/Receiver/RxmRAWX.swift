// SPDX-License-Identifier: MIT

/// Raw measurements: `RXM-RAWX`.
public struct RxmRAWX: UBXMessage {
    public static let id = UBXMessageID(0x02, 0x15)

    /// State of the receiver.
    public struct Status: UBXValue {
        public var rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// The leap seconds are known.
        public var hasLeapSeconds: Bool { rawValue.hasBit(0) }
        /// The clock was reset.
        public var isClockReset: Bool { rawValue.hasBit(1) }
    }

    /// One signal of one satellite.
    public struct Measurement: UBXBlock {
        /// State of the signal.
        public struct Tracking: UBXValue {
            public var rawValue: UInt8
            public init(rawValue: UInt8) { self.rawValue = rawValue }
            /// The pseudorange is valid.
            public var isRangeValid: Bool { rawValue.hasBit(0) }
            /// The carrier phase is valid.
            public var isPhaseValid: Bool { rawValue.hasBit(1) }
            /// The half cycle is resolved.
            public var isHalfCycleKnown: Bool { rawValue.hasBit(2) }
            /// A half cycle was subtracted.
            public var isHalfCycleSubtracted: Bool { rawValue.hasBit(3) }
        }

        /// Metres.
        public var pseudorange: Double = 0
        /// Cycles.
        public var carrierPhase: Double = 0
        /// Hertz.
        public var doppler: Float = 0
        /// The constellation's number.
        public var gnssID: UInt8 = 0
        /// The satellite's number within the constellation.
        public var svid: UInt8 = 0
        /// The signal's number within the constellation.
        public var signalID: UInt8 = 0
        /// GLONASS: the channel, plus 7.
        public var frequencyID: UInt8 = 0
        /// Milliseconds for which the carrier has been locked, at most 64,500.
        public var lockTime: UInt16 = 0
        /// dB-Hz.
        public var cn0: UInt8 = 0
        /// 0.01 · 2ⁿ metres.
        public var rangeDeviation: UInt8 = 0
        /// 0.004 · n cycles; 15 where it is not valid.
        public var phaseDeviation: UInt8 = 0
        /// 0.002 · 2ⁿ hertz.
        public var dopplerDeviation: UInt8 = 0
        /// State of the signal.
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

    /// Seconds of the receiver's week.
    public var timeOfWeek: Double = 0
    /// The receiver's week.
    public var week: UInt16 = 0
    /// Seconds by which GPS time is ahead of UTC.
    public var leapSeconds: Int8 = 0
    /// State of the receiver.
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
        // Newer firmware has another use for the highest bit.
        coder.resize(&measurements, to: Int(count & 0x7F))
        coder.value(&status)
        coder.integer(&version)
        coder.reserved(2)
        coder.elements(&measurements)
    }
}
