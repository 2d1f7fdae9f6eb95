// SPDX-License-Identifier: MIT

/// The state of the hardware: `MON-HW`, in the formats of M6 (68 bytes), M8 (60 bytes) and M10 (56
/// bytes).
public struct MonHW: UBXMessage {
    public static let id = UBXMessageID(0x0A, 0x09)

    /// Status flags of the hardware.
    public struct Flags: UBXValue {
        public var rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// Whether the real-time clock is calibrated.
        public var isClockCalibrated: Bool { rawValue.hasBit(0) }
        /// Whether the receiver was started in safe mode.
        public var isSafeBoot: Bool { rawValue.hasBit(1) }
        /// The state of the jamming detector.
        public var jamming: UBXJammingState {
            UBXJammingState(rawValue: rawValue.bits(2...3))
        }
        /// Whether the crystal of the real-time clock is missing.
        public var hasNoCrystal: Bool { rawValue.hasBit(4) }
    }

    /// The pins that are used by a peripheral, one bit for each pin.
    public var pinSelection: UInt32 = 0
    /// The peripheral bank of each pin, one bit for each pin: 0 is bank A, 1 is bank B.
    public var pinBank: UInt32 = 0
    /// The directions of the pins, one bit for each pin; 1 means output.
    public var pinDirection: UInt32 = 0
    /// The levels of the pins, one bit for each pin.
    public var pinLevel: UInt32 = 0
    /// The noise level, as measured by the GPS core, without a unit.
    public var noise: UInt16 = 0
    /// The gain set by the automatic gain control, 0 to 8191.
    public var gain: UInt16 = 0
    /// The state of the antenna.
    public var antenna = UBXAntennaState.unknown
    /// Whether power is supplied to the antenna.
    public var antennaPower = UBXAntennaPower.unknown
    /// Status flags of the hardware.
    public var flags = Flags(rawValue: 0)
    /// The virtual pins in use, one bit for each.
    public var usedPins: UInt32 = 0
    /// The physical pin of each virtual pin. There are 25 virtual pins on M6, 17 on M8 and 13 on
    /// M10.
    public var virtualPins = unusedPins
    /// The strength of a continuous-wave interferer, 0 to 255.
    public var continuousWave: UInt8 = 0
    /// The pins that can cause an interrupt, one bit for each pin.
    public var pinInterrupts: UInt32 = 0
    /// The pins with a pull-up, one bit for each pin.
    public var pulledUp: UInt32 = 0
    /// The pins with a pull-down, one bit for each pin.
    public var pulledDown: UInt32 = 0

    /// The default of `virtualPins`. All messages share this array until one changes it, so
    /// creating a message does not allocate memory.
    private static let unusedPins = [UInt8](repeating: 0, count: 17)

    public init() {}

    public mutating func fields(_ coder: inout some UBXCoder) {
        let pinCount = coder.remaining.map { max(0, min(25, $0 - 43)) } ?? virtualPins.count
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
        if coder.includesList(of: pinCount) {
            if virtualPins.count != pinCount {
                virtualPins = [UInt8](repeating: 0, count: pinCount)
            }
            for index in virtualPins.indices { coder.integer(&virtualPins[index]) }
        } else {
            coder.reserved(pinCount)
        }
        coder.integer(&continuousWave)
        coder.reserved(2)
        coder.integer(&pinInterrupts)
        coder.integer(&pulledUp)
        coder.integer(&pulledDown)
    }
}
