// SPDX-License-Identifier: MIT

/// The state of the receiver: `NAV-STATUS`.
public struct NavSTATUS: UBXMessage {
    public static let id = UBXMessageID(0x01, 0x03)

    /// The state of the solution.
    public struct Flags: UBXValue {
        public var rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// Whether the fix is valid: it is within the accuracy and DOP limits that are set in the
        /// receiver.
        public var isFixOK: Bool { rawValue.hasBit(0) }
        /// Whether the solution uses differential corrections.
        public var isDifferential: Bool { rawValue.hasBit(1) }
        /// Whether the GPS week is valid.
        public var hasWeek: Bool { rawValue.hasBit(2) }
        /// Whether the time of week is valid.
        public var hasTimeOfWeek: Bool { rawValue.hasBit(3) }
    }

    /// The state of the corrections.
    public struct Corrections: UBXValue {
        public var rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// Whether differential corrections are available.
        public var areAvailable: Bool { rawValue.hasBit(0) }
        /// Whether `Detection.carrierSolution` is valid.
        public var isCarrierValid: Bool { rawValue.hasBit(1) }
    }

    /// The states of the spoofing detector and of the carrier-phase solution.
    public struct Detection: UBXValue {
        public var rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// The state of the spoofing detector in this epoch.
        public var spoofing: UBXSpoofingState {
            UBXSpoofingState(rawValue: rawValue.bits(3...4))
        }
        /// Whether the solution uses the carrier phase (RTK), and whether its ambiguities are
        /// fixed.
        public var carrierSolution: UBXCarrierSolution {
            UBXCarrierSolution(rawValue: rawValue.bits(6...7))
        }
    }

    /// The GPS time of week in milliseconds.
    public var timeOfWeekMilliseconds: UInt32 = 0
    /// The type of the fix.
    public var fixType = UBXFixType.none
    /// The state of the solution.
    public var flags = Flags(rawValue: 0)
    /// The state of the corrections.
    public var corrections = Corrections(rawValue: 0)
    /// The states of the spoofing detector and of the carrier-phase solution.
    public var detection = Detection(rawValue: 0)
    /// The time from the receiver's start to its first fix, in milliseconds.
    public var timeToFirstFix: UInt32 = 0
    /// The time since the receiver's start, in milliseconds.
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
