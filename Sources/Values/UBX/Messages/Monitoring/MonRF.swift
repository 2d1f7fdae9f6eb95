// SPDX-License-Identifier: MIT

/// The state of the RF front end: `MON-RF`.
public struct MonRF: UBXMessage {
    public static let id = UBXMessageID(0x0A, 0x38)

    /// The reporting receiver, if the device contains several.
    public struct Source: UBXValue {
        public var rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// The number of the receiver; 0 is the first.
        public var receiver: UInt8 { rawValue.bits(0...1) }
    }

    /// The state of one band.
    public struct Block: UBXBlock {
        /// Whether the block has the compact format of F9R, which does not report the jamming
        /// state.
        public var isCompact = false
        /// The number of the band: 0 for L1, 1 for L2 and L5.
        public var number: UInt8 = 0
        /// The flags. Bits 0 and 1 are the jamming state.
        public var flags: UInt8 = 0
        /// The state of the antenna.
        public var antenna = UBXAntennaState.unknown
        /// Whether power is supplied to the antenna.
        public var antennaPower = UBXAntennaPower.unknown
        /// The suppression of continuous-wave interference, 0 to 255. Only in the compact format.
        public var suppression: UInt8 = 0
        /// The result of the self-test at start.
        public var selfTest: UInt32 = 0
        /// The noise level, without a unit.
        public var noise: UInt16 = 0
        /// The gain set by the automatic gain control, 0 to 8191.
        public var gain: UInt16 = 0
        /// The strength of a continuous-wave interferer, 0 to 255.
        public var continuousWave: UInt8 = 0
        /// The imbalance of the signal's in-phase (I) component, in units of 1/256 of full scale.
        public var offsetI: Int8 = 0
        /// The magnitude of the signal's in-phase (I) component; 255 is the highest.
        public var magnitudeI: UInt8 = 0
        /// The imbalance of the signal's quadrature (Q) component, in units of 1/256 of full scale.
        public var offsetQ: Int8 = 0
        /// The magnitude of the signal's quadrature (Q) component; 255 is the highest.
        public var magnitudeQ: UInt8 = 0

        public init() {}

        public mutating func fields(_ coder: inout some UBXCoder) {
            coder.integer(&number)
            if !isCompact { coder.integer(&flags) }
            coder.value(&antenna)
            coder.value(&antennaPower)
            if isCompact { coder.integer(&suppression) }
            coder.integer(&selfTest)
            coder.reserved(4)
            coder.integer(&noise)
            coder.integer(&gain)
            if !isCompact { coder.integer(&continuousWave) }
            coder.integer(&offsetI)
            coder.integer(&magnitudeI)
            coder.integer(&offsetQ)
            coder.integer(&magnitudeQ)
            if !isCompact { coder.reserved(3) }
        }

        static let size = 24
        static let compactSize = 20

        /// The jamming state. It is always unknown if the firmware reports the state in `SecSIG`
        /// instead.
        public var jamming: UBXJammingState { UBXJammingState(rawValue: flags.bits(0...1)) }
    }

    /// The version of the message.
    public var version: UInt8 = 0
    /// The reporting receiver, if the device contains several.
    public var source = Source(rawValue: 0)
    /// The state of each band.
    public var blocks: [Block] = []

    public init() {}

    public mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&version)
        coder.count(of: &blocks)
        coder.value(&source)
        coder.reserved(1)
        if let remaining = coder.remaining, Self.isCompact(remaining, of: blocks.count) {
            for index in blocks.indices { blocks[index].isCompact = true }
        }
        coder.elements(&blocks)
    }

    private static func isCompact(_ byteCount: Int, of count: Int) -> Bool {
        count > 0 && byteCount / count == Block.compactSize
    }

    /// Returns an empty block in the format of the blocks that `reader` has skipped, to read them
    /// one by one. Returns `nil` if the list of blocks is truncated. The reader must have been
    /// created with `UBXReader.init(leavingOutListOf:)`.
    package func layout(ofListIn reader: borrowing UBXReader) -> Block? {
        var block = Block()
        block.isCompact = Self.isCompact(reader.remaining ?? 0, of: reader.listCount)
        return reader.canReadList(of: block.isCompact ? Block.compactSize : Block.size)
            ? block : nil
    }
}
