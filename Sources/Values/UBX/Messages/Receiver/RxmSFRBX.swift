// SPDX-License-Identifier: MIT

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
