// SPDX-License-Identifier: MIT

/// The answer to an assistance message: `MGA-ACK`.
public struct MgaACK: UBXMessage {
    public static let id = UBXMessageID(0x13, 0x60)

    /// 1 if the message was used.
    public var isAccepted: UInt8 = 0
    /// The version of the message.
    public var version: UInt8 = 0
    /// The reason: 0 accepted, 1 time not yet known, 2 unsupported version, 3 wrong size, 4 not
    /// stored, 5 not ready, 6 unknown type.
    public var reason: UInt8 = 0
    /// The id of the acknowledged message within its class.
    public var number: UInt8 = 0
    /// The first four bytes of the acknowledged message's payload. After a poll of the database,
    /// the number of entries sent.
    public var payloadStart: UInt32 = 0

    public init() {}

    public mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&isAccepted)
        coder.integer(&version)
        coder.integer(&reason)
        coder.integer(&number)
        coder.integer(&payloadStart)
    }
}
