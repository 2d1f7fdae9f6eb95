// SPDX-License-Identifier: MIT

/// Hardware: `MON-HW`, in the forms of M6 (68 bytes), M8 (60 bytes) and M10 (56 bytes).
public struct MonHW: UBXMessage {
    public static let id = UBXMessageID(0x0A, 0x09)

    /// State.
    public struct Flags: UBXValue {
        public var rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// The real-time clock is calibrated.
        public var isClockCalibrated: Bool { rawValue.hasBit(0) }
        /// The receiver was started in safe mode.
        public var isSafeBoot: Bool { rawValue.hasBit(1) }
        /// The jamming detector.
        public var jamming: UBXJammingState {
            UBXJammingState(rawValue: rawValue.bits(2...3))
        }
        /// The crystal of the real-time clock is missing.
        public var hasNoCrystal: Bool { rawValue.hasBit(4) }
    }

    /// A bit for each pin: whether it is used by a peripheral.
    public var pinSelection: UInt32 = 0
    /// A bit for each pin: its bank.
    public var pinBank: UInt32 = 0
    /// A bit for each pin: 1 for output.
    public var pinDirection: UInt32 = 0
    /// A bit for each pin: its level.
    public var pinLevel: UInt32 = 0
    /// Noise level.
    public var noise: UInt16 = 0
    /// Automatic gain control, 0 to 8191.
    public var gain: UInt16 = 0
    /// The state of the antenna.
    public var antenna = UBXAntennaState.unknown
    /// Whether the antenna has power.
    public var antennaPower = UBXAntennaPower.unknown
    /// State.
    public var flags = Flags(rawValue: 0)
    /// A bit for each virtual pin: whether it is used.
    public var usedPins: UInt32 = 0
    /// The pin of each virtual pin: 25 of M6, 17 of M8, 13 of M10.
    public var virtualPins = [UInt8](repeating: 0, count: 17)
    /// Strength of a continuous wave, 0 to 255.
    public var continuousWave: UInt8 = 0
    /// A bit for each pin: whether it can interrupt.
    public var pinInterrupts: UInt32 = 0
    /// A bit for each pin: whether it is pulled up.
    public var pulledUp: UInt32 = 0
    /// A bit for each pin: whether it is pulled down.
    public var pulledDown: UInt32 = 0

    public init() {}

    public mutating func fields(_ coder: inout some UBXCoder) {
        if let length = coder.remaining {
            let pinCount = max(0, min(25, length - 43))
            virtualPins = [UInt8](repeating: 0, count: pinCount)
        }
        coder.integer(&pinSelection)
        coder.integer(&pinBank)
        coder.integer(&pinDirection)
        coder.integer(&pinLevel)
        coder.integer(&noise)
        coder.integer(&gain)
        coder.value(&antenna)
        coder.value(&antennaPower)
        coder.value(&flags)
        coder.reserved(1)
        coder.integer(&usedPins)
        for index in virtualPins.indices { coder.integer(&virtualPins[index]) }
        coder.integer(&continuousWave)
        coder.reserved(2)
        coder.integer(&pinInterrupts)
        coder.integer(&pulledUp)
        coder.integer(&pulledDown)
    }
}
