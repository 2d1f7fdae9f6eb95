// SPDX-License-Identifier: MIT

/// Answer to a message of assistance: `MGA-ACK`.
public struct MgaACK: UBXMessage {
    public static let id = UBXMessageID(0x13, 0x60)

    /// 1 where the message was used.
    public var isAccepted: UInt8 = 0
    /// The version of the message.
    public var version: UInt8 = 0
    /// 0 accepted, 1 the time is not known yet, 2 version, 3 size, 4 not stored, 5 not ready, 6 unknown type.
    public var reason: UInt8 = 0
    /// The id of the message.
    public var number: UInt8 = 0
    /// The start of its payload; after a poll of the database, the number of entries sent.
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
