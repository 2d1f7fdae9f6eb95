// SPDX-License-Identifier: MIT

/// State of the receiver: `NAV-STATUS`.
public struct NavSTATUS: UBXMessage {
    public static let id = UBXMessageID(0x01, 0x03)

    /// The state of the solution.
    public struct Flags: UBXValue {
        public var rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// The fix is within the limits set for the receiver.
        public var isFixOK: Bool { rawValue.hasBit(0) }
        /// Corrections were used.
        public var isDifferential: Bool { rawValue.hasBit(1) }
        /// The week is valid.
        public var hasWeek: Bool { rawValue.hasBit(2) }
        /// The time of week is valid.
        public var hasTimeOfWeek: Bool { rawValue.hasBit(3) }
    }

    /// Corrections.
    public struct Corrections: UBXValue {
        public var rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// Corrections are available.
        public var areAvailable: Bool { rawValue.hasBit(0) }
        /// The carrier solution is valid.
        public var isCarrierValid: Bool { rawValue.hasBit(1) }
    }

    /// Power saving, spoofing and carrier.
    public struct Detection: UBXValue {
        public var rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// The spoofing detector, of this epoch only.
        public var spoofing: UBXSpoofingState {
            UBXSpoofingState(rawValue: rawValue.bits(3...4))
        }
        /// How the carrier was used.
        public var carrierSolution: UBXCarrierSolution {
            UBXCarrierSolution(rawValue: rawValue.bits(6...7))
        }
    }

    /// GPS time of week in milliseconds.
    public var timeOfWeekMilliseconds: UInt32 = 0
    /// How the position was determined.
    public var fixType = UBXFixType.none
    /// The state of the solution.
    public var flags = Flags(rawValue: 0)
    /// Corrections.
    public var corrections = Corrections(rawValue: 0)
    /// Power saving, spoofing and carrier.
    public var detection = Detection(rawValue: 0)
    /// Milliseconds from the start to the first fix.
    public var timeToFirstFix: UInt32 = 0
    /// Milliseconds since the start.
    public var uptime: UInt32 = 0

    public init() {}

    public mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&timeOfWeekMilliseconds)
        coder.value(&fixType)
        coder.value(&flags)
        coder.value(&corrections)
        coder.value(&detection)
        coder.integer(&timeToFirstFix)
        coder.integer(&uptime)
    }
}
