// SPDX-License-Identifier: MIT

/// Reports that a configuration message was accepted: `ACK-ACK`.
public struct AckACK: UBXMessage {
    public static let id = UBXMessageID(0x05, 0x01)

    /// The class of the accepted message.
    public var messageClass: UInt8 = 0
    /// The id of the accepted message within its class.
    public var number: UInt8 = 0

    public init() {}

    public mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&messageClass)
        coder.integer(&number)
    }
}
