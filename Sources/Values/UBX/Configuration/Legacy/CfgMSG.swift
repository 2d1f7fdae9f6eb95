// SPDX-License-Identifier: MIT

/// The output rate of a message in navigation epochs per message, for chips up to M8: `CFG-MSG`.
public struct CfgMSG: UBXMessage {
    public static let id = UBXMessageID(0x06, 0x01)

    /// The class of the message.
    public var messageClass: UInt8 = 0
    /// The id of the message within its class.
    public var number: UInt8 = 0
    /// The rates, where 0 disables the message: one for the port that receives this `CFG-MSG`, or
    /// six for I2C, UART 1, UART 2, USB, SPI and a reserved port.
    public var rates: [UInt8] = [0]

    public init() {}

    public mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&messageClass)
        coder.integer(&number)
        coder.rest(&rates)
    }

    /// The class and id of the message.
    public var message: UBXMessageID { UBXMessageID(messageClass, number) }

    /// Creates a `CFG-MSG` that sets the output rate of `message` on the port that receives it, in
    /// navigation epochs per message; 0 disables the message.
    public init(_ message: UBXMessageID, rate: UInt8) {
        (messageClass, number, rates) = (message.messageClass, message.number, [rate])
    }

    /// Returns the frame of a request for the output rates of a message.
    public static func poll(_ message: UBXMessageID) -> [UInt8] {
        UBXFrame.bytes(id, payload: [message.messageClass, message.number])
    }
}
