// SPDX-License-Identifier: MIT

/// A configuration message was accepted: `ACK-ACK`.
public struct AckACK: UBXMessage {
    public static let id = UBXMessageID(0x05, 0x01)

    /// The class of the message.
    public var messageClass: UInt8 = 0
    /// Its id.
    public var number: UInt8 = 0

    public init() {}

    public mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&messageClass)
        coder.integer(&number)
    }
}
