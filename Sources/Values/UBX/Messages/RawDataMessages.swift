// SPDX-License-Identifier: MIT

/// Reports that a correction message was received: `RXM-COR`, from M10, F10 and X20.
public struct RxmCOR: UBXMessage {
    public static let id = UBXMessageID(0x02, 0x34)

    /// The source of the correction message, and how the receiver used it.
    public struct Status: UBXValue {
        public var rawValue: UInt32
        public init(rawValue: UInt32) { self.rawValue = rawValue }
        /// The protocol: 1 RTCM 3, 2 SPARTN, 29 PMP (SPARTN), 30 QZSS L6.
        public var source: UInt32 { rawValue.bits(0...4) }
        /// Whether the message had errors: 0 unknown, 1 none, 2 damaged.
        public var errors: UInt32 { rawValue.bits(5...6) }
        /// Whether the receiver used the message: 0 unknown, 1 not used, 2 used.
        public var use: UInt32 { rawValue.bits(7...8) }
        /// The id of the base station or service.
        public var station: UInt32 { rawValue.bits(9...24) }
        /// Whether `type` is valid.
        public var hasType: Bool { rawValue.hasBit(25) }
        /// Whether `subtype` is valid.
        public var hasSubtype: Bool { rawValue.hasBit(26) }
        /// Whether the host sent the correction message.
        public var isFromHost: Bool { rawValue.hasBit(27) }
        /// Whether the message was encrypted: 0 unknown, 1 not encrypted, 2 encrypted.
        public var encryption: UInt32 { rawValue.bits(28...29) }
        /// Whether the message was decrypted: 0 unknown, 1 not decrypted, 2 decrypted.
        public var decryption: UInt32 { rawValue.bits(30...31) }
    }

    /// The version of the message.
    public var version: UInt8 = 0
    /// The Eb/N0 of corrections from a satellite, in decibels.
    public var signalToNoise: Double = 0
    /// The source of the correction message, and how the receiver used it.
    public var status = Status(rawValue: 0)
    /// The type of the correction message.
    public var type: UInt16 = 0
    /// The subtype of the correction message.
    public var subtype: UInt16 = 0

    public init() {}

    public mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&version)
        coder.scaled(&signalToNoise, UInt8.self, per: 8)
        coder.reserved(2)
        coder.value(&status)
        coder.integer(&type)
        coder.integer(&subtype)
    }
}

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

/// Reports that an RTCM message was received: `RXM-RTCM`.
public struct RxmRTCM: UBXMessage {
    public static let id = UBXMessageID(0x02, 0x32)

    /// Whether the message was valid, and whether the receiver used it.
    public struct Flags: UBXValue {
        public var rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// Whether the CRC of the RTCM message was wrong.
        public var isDamaged: Bool { rawValue.hasBit(0) }
        /// Whether the receiver used the message: 0 unknown, 1 not used, 2 used.
        public var use: UInt8 { rawValue.bits(1...2) }
    }

    /// The version of the message.
    public var version: UInt8 = 0
    /// Whether the message was valid, and whether the receiver used it.
    public var flags = Flags(rawValue: 0)
    /// The subtype, if the RTCM message type is 4072.
    public var subtype: UInt16 = 0
    /// The id of the base station.
    public var referenceStation: UInt16 = 0
    /// The RTCM message type.
    public var type: UInt16 = 0

    public init() {}

    public mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&version)
        coder.value(&flags)
        coder.integer(&subtype)
        coder.integer(&referenceStation)
        coder.integer(&type)
    }
}

/// A subframe of a satellite's navigation message: `RXM-SFRBX`.
public struct RxmSFRBX: UBXMessage {
    public static let id = UBXMessageID(0x02, 0x13)

    /// A word of a subframe, in 32 bits.
    public struct Word: UBXBlock {
        /// The bits of the word.
        public var bits: UInt32 = 0

        public init() {}

        public mutating func fields(_ coder: inout some UBXCoder) {
            coder.integer(&bits)
        }
    }

    /// The constellation's number (`gnssId`).
    public var gnssID: UInt8 = 0
    /// The satellite's number within the constellation.
    public var svid: UInt8 = 0
    /// The signal's number within the constellation.
    public var signalID: UInt8 = 0
    /// The GLONASS frequency channel plus 7.
    public var frequencyID: UInt8 = 0
    /// The channel that received the subframe.
    public var channel: UInt8 = 0
    /// The version of the message.
    public var version: UInt8 = 2
    /// The words of the subframe, in the order of transmission.
    public var words: [Word] = []

    public init() {}

    public mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&gnssID)
        coder.integer(&svid)
        coder.integer(&signalID)
        coder.integer(&frequencyID)
        coder.count(of: &words)
        coder.integer(&channel)
        coder.integer(&version)
        coder.reserved(1)
        coder.elements(&words)
    }
}
