// SPDX-License-Identifier: MIT

/// Constellations, for chips up to M8: `CFG-GNSS`. Read it, change `isEnabled`, and write it.
public struct CfgGNSS: UBXMessage {
    public static let id = UBXMessageID(0x06, 0x3E)

    /// One constellation.
    public struct Block: UBXBlock {
        /// The constellation's number.
        public var gnssID: UInt8 = 0
        /// Channels that it always has.
        public var minimumChannels: UInt8 = 0
        /// Channels that it has at most.
        public var maximumChannels: UInt8 = 0
        /// Bit 0 enabled; bits 16 to 23: its signals.
        public var flags: UInt32 = 0

        public init() {}

        public mutating func fields(_ coder: inout some UBXCoder) {
            coder.integer(&gnssID)
            coder.integer(&minimumChannels)
            coder.integer(&maximumChannels)
            coder.reserved(1)
            coder.integer(&flags)
        }

        /// Whether the constellation is used.
        public var isEnabled: Bool {
            get { flags.hasBit(0) }
            set { flags = flags & ~1 | (newValue ? 1 : 0) }
        }
    }

    /// The version of the message.
    public var version: UInt8 = 0
    /// Channels of the chip.
    public var hardwareChannels: UInt8 = 0
    /// Channels to use; 255 is all.
    public var usedChannels: UInt8 = .max
    /// A block for each constellation.
    public var blocks: [Block] = []

    public init() {}

    public mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&version)
        coder.integer(&hardwareChannels)
        coder.integer(&usedChannels)
        coder.count(of: &blocks)
        coder.elements(&blocks)
    }
}
