// SPDX-License-Identifier: MIT

/// Reports that a correction message was received: `RXM-COR`, from M10, F10 and X20.
package struct RxmCOR: UBXMessage {
    package static let id = UBXMessageID(0x02, 0x34)

    /// The source of the correction message, and how the receiver used it.
    package struct Status: UBXValue {
        package var rawValue: UInt32
        package init(rawValue: UInt32) { self.rawValue = rawValue }
        /// The protocol: 1 RTCM 3, 2 SPARTN, 29 PMP (SPARTN), 30 QZSS L6.
        package var source: UInt32 { rawValue.bits(0...4) }
        /// Whether the message had errors: 0 unknown, 1 none, 2 damaged.
        package var errors: UInt32 { rawValue.bits(5...6) }
        /// Whether the receiver used the message: 0 unknown, 1 not used, 2 used.
        package var use: UInt32 { rawValue.bits(7...8) }
        /// The id of the base station or service.
        package var station: UInt32 { rawValue.bits(9...24) }
        /// Whether `type` is valid.
        package var hasType: Bool { rawValue.hasBit(25) }
        /// Whether `subtype` is valid.
        package var hasSubtype: Bool { rawValue.hasBit(26) }
        /// Whether the host sent the correction message.
        package var isFromHost: Bool { rawValue.hasBit(27) }
        /// Whether the message was encrypted: 0 unknown, 1 not encrypted, 2 encrypted.
        package var encryption: UInt32 { rawValue.bits(28...29) }
        /// Whether the message was decrypted: 0 unknown, 1 not decrypted, 2 decrypted.
        package var decryption: UInt32 { rawValue.bits(30...31) }
    }

    package var version: UInt8 = 0
    /// The Eb/N0 of corrections from a satellite, in decibels.
    private var signalToNoise: Double = 0
    /// The source of the correction message, and how the receiver used it.
    package var status = Status(rawValue: 0)
    /// The type of the correction message.
    package var type: UInt16 = 0
    /// The subtype of the correction message.
    private var subtype: UInt16 = 0

    package init() {}

    package mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&version)
        coder.scaled(&signalToNoise, UInt8.self, per: 8)
        coder.reserved(2)
        coder.value(&status)
        coder.integers(&type, &subtype)
    }
}

/// Raw measurements: `RXM-RAWX`.
package struct RxmRAWX: UBXMessage {
    package static let id = UBXMessageID(0x02, 0x15)

    package struct Status: UBXValue {
        package var rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        package var hasLeapSeconds: Bool { rawValue.hasBit(0) }
        /// Whether the receiver's clock was reset.
        package var isClockReset: Bool { rawValue.hasBit(1) }
    }

    /// The measurements of one signal of a satellite.
    package struct Measurement: UBXBlock {
        /// The state of the signal.
        package struct Tracking: UBXValue {
            package var rawValue: UInt8
            package init(rawValue: UInt8) { self.rawValue = rawValue }
            package var isRangeValid: Bool { rawValue.hasBit(0) }
            package var isPhaseValid: Bool { rawValue.hasBit(1) }
            /// Whether the half-cycle ambiguity of the carrier phase is resolved.
            package var isHalfCycleKnown: Bool { rawValue.hasBit(2) }
            /// Whether a half cycle was subtracted from the carrier phase.
            package var isHalfCycleSubtracted: Bool { rawValue.hasBit(3) }
        }

        /// The pseudorange in metres.
        package var pseudorange: Double = 0
        package var carrierPhase: Double = 0
        /// The Doppler shift in hertz.
        package var doppler: Float = 0
        /// The constellation's number (`gnssId`).
        package var gnssID: UInt8 = 0
        /// The satellite's number within the constellation.
        package var svid: UInt8 = 0
        /// The signal's number within the constellation.
        package var signalID: UInt8 = 0
        /// The GLONASS frequency channel plus 7.
        package var frequencyID: UInt8 = 0
        /// The time for which the carrier has been locked, in milliseconds; at most 64,500.
        package var lockTime: UInt16 = 0
        /// The carrier-to-noise density in dB-Hz.
        package var cn0: UInt8 = 0
        /// The standard deviation of the pseudorange; a value n means 0.01 · 2ⁿ metres.
        private var rangeDeviation: UInt8 = 0
        /// The standard deviation of the carrier phase; a value n means 0.004 · n cycles, and 15
        /// means that the phase is not valid.
        package var phaseDeviation: UInt8 = 0
        /// The standard deviation of the Doppler shift; a value n means 0.002 · 2ⁿ hertz.
        private var dopplerDeviation: UInt8 = 0
        /// The state of the signal.
        package var tracking = Tracking(rawValue: 0)

        package init() {}

        package mutating func fields(_ coder: inout some UBXCoder) {
            coder.double(&pseudorange)
            coder.double(&carrierPhase)
            coder.float(&doppler)
            coder.integers(&gnssID, &svid, &signalID, &frequencyID)
            coder.integers(&lockTime, &cn0, &rangeDeviation)
            coder.integers(&phaseDeviation, &dopplerDeviation)
            coder.value(&tracking)
            coder.reserved(1)
        }
    }

    /// The time of week in seconds, according to the receiver's clock.
    package var timeOfWeek: Double = 0
    /// The GPS week, according to the receiver's clock.
    package var week: UInt16 = 0
    /// The difference between GPS time and UTC in seconds.
    package var leapSeconds: Int8 = 0
    package var status = Status(rawValue: 0)
    package var version: UInt8 = 1
    /// The measurements, at most 127.
    package var measurements: [Measurement] = []

    package init() {}

    package mutating func fields(_ coder: inout some UBXCoder) {
        coder.double(&timeOfWeek)
        coder.integers(&week, &leapSeconds)
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
package struct RxmRTCM: UBXMessage {
    package static let id = UBXMessageID(0x02, 0x32)

    /// Whether the message was valid, and whether the receiver used it.
    package struct Flags: UBXValue {
        package var rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        /// Whether the CRC of the RTCM message was wrong.
        package var isDamaged: Bool { rawValue.hasBit(0) }
        /// Whether the receiver used the message: 0 unknown, 1 not used, 2 used.
        package var use: UInt8 { rawValue.bits(1...2) }
    }

    package var version: UInt8 = 0
    /// Whether the message was valid, and whether the receiver used it.
    package var flags = Flags(rawValue: 0)
    /// The subtype, if the RTCM message type is 4072.
    private var subtype: UInt16 = 0
    /// The id of the base station.
    package var referenceStation: UInt16 = 0
    package var type: UInt16 = 0

    package init() {}

    package mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&version)
        coder.value(&flags)
        coder.integers(&subtype, &referenceStation, &type)
    }
}

/// A subframe of a satellite's navigation message: `RXM-SFRBX`.
package struct RxmSFRBX: UBXMessage {
    package static let id = UBXMessageID(0x02, 0x13)

    /// A word of a subframe, in 32 bits.
    package struct Word: UBXBlock {
        package var bits: UInt32 = 0

        package init() {}

        package mutating func fields(_ coder: inout some UBXCoder) {
            coder.integer(&bits)
        }
    }

    /// The constellation's number (`gnssId`).
    package var gnssID: UInt8 = 0
    /// The satellite's number within the constellation.
    package var svid: UInt8 = 0
    /// The signal's number within the constellation.
    package var signalID: UInt8 = 0
    /// The GLONASS frequency channel plus 7.
    package var frequencyID: UInt8 = 0
    /// The channel that received the subframe.
    private var channel: UInt8 = 0
    package var version: UInt8 = 2
    /// The words of the subframe, in the order of transmission.
    package var words: [Word] = []

    package init() {}

    package mutating func fields(_ coder: inout some UBXCoder) {
        coder.integers(&gnssID, &svid, &signalID, &frequencyID)
        coder.count(of: &words)
        coder.integers(&channel, &version)
        coder.reserved(1)
        coder.elements(&words)
    }
}
