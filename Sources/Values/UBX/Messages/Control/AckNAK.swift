// SPDX-License-Identifier: MIT

/// Reports that a configuration message was rejected: `ACK-NAK`.
public struct AckNAK: UBXMessage {
    public static let id = UBXMessageID(0x05, 0x00)

    /// The class of the rejected message.
    public var messageClass: UInt8 = 0
    /// The id of the rejected message within its class.
    public var number: UInt8 = 0

    public init() {}

    public mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&messageClass)
        coder.integer(&number)
    }
}
