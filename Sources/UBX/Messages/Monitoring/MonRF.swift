// SPDX-License-Identifier: MIT

/// Radio: `MON-RF`.
public struct MonRF: UBXMessage {
    public static let id = UBXMessageID(0x0A, 0x38)

    /// The number of the reporting receiver, if there are several.
    public struct Source: UBXValue {
        public var rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// 0 for the first.
        public var receiver: UInt8 { rawValue.bits(0...1) }
    }

    /// One band.
    public struct Block: UBXBlock {
        /// Whether it has the compact form of F9R, which reports no state of jamming.
        public var isCompact = false
        /// 0 for L1, 1 for L2 and L5.
        public var number: UInt8 = 0
        /// Bits 0 and 1 are the state of jamming.
        public var flags: UInt8 = 0
        /// The state of the antenna.
        public var antenna = UBXAntennaState.unknown
        /// Whether the antenna has power.
        public var antennaPower = UBXAntennaPower.unknown
        /// Suppression of a continuous wave, 0 to 255; the compact form.
        public var suppression: UInt8 = 0
        /// The result of the test at start.
        public var selfTest: UInt32 = 0
        /// Noise level.
        public var noise: UInt16 = 0
        /// Automatic gain control, 0 to 8191.
        public var gain: UInt16 = 0
        /// Strength of a continuous wave, 0 to 255.
        public var continuousWave: UInt8 = 0
        /// Imbalance of the I part.
        public var offsetI: Int8 = 0
        /// Magnitude of the I part.
        public var magnitudeI: UInt8 = 0
        /// Imbalance of the Q part.
        public var offsetQ: Int8 = 0
        /// Magnitude of the Q part.
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

        /// The state of jamming: always unknown where firmware reports it in `SecSIG`.
        public var jamming: UBXJammingState { UBXJammingState(rawValue: flags.bits(0...1)) }
    }

    /// The version of the message.
    public var version: UInt8 = 0
    /// The number of the reporting receiver, if there are several.
    public var source = Source(rawValue: 0)
    /// One for each band.
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

    /// An empty block of the form that the list left out by a reader has; `nil` if it is cut off.
    package func layout(ofListIn reader: borrowing UBXReader) -> Block? {
        var block = Block()
        block.isCompact = Self.isCompact(reader.remaining ?? 0, of: reader.listCount)
        return reader.canReadList(of: block.isCompact ? Block.compactSize : Block.size)
            ? block : nil
    }
}
