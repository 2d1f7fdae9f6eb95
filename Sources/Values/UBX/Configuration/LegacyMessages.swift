// SPDX-License-Identifier: MIT
package import GNSS

/// The constellations that the receiver uses, for chips up to M8: `CFG-GNSS`. Read the message,
/// change `isEnabled`, and write it.
public struct CfgGNSS: UBXMessage {
    public static let id = UBXMessageID(0x06, 0x3E)

    /// The settings of one constellation.
    public struct Block: UBXBlock {
        /// The constellation's number (`gnssId`).
        public var gnssID: UInt8 = 0
        /// The number of channels reserved for the constellation.
        public var minimumChannels: UInt8 = 0
        /// The maximum number of channels of the constellation.
        public var maximumChannels: UInt8 = 0
        /// The flags: bit 0 enables the constellation, and bits 16 to 23 select its signals.
        public var flags: UInt32 = 0

        public init() {}

        public mutating func fields(_ coder: inout some UBXCoder) {
            coder.integer(&gnssID)
            coder.integer(&minimumChannels)
            coder.integer(&maximumChannels)
            coder.reserved(1)
            coder.integer(&flags)
        }

        /// The constellation; `nil` for an unknown `gnssID`.
        package var constellation: Constellation? { Constellation(gnssID: Int(gnssID)) }

        /// Whether the constellation is used.
        public var isEnabled: Bool {
            get { flags.hasBit(0) }
            set { flags = flags & ~1 | (newValue ? 1 : 0) }
        }
    }

    /// The version of the message.
    public var version: UInt8 = 0
    /// The number of tracking channels that the chip has.
    public var hardwareChannels: UInt8 = 0
    /// The number of tracking channels to use; 255 means all.
    public var usedChannels: UInt8 = .max
    /// The settings of each constellation.
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
