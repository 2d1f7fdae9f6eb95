// SPDX-License-Identifier: MIT

/// The settings of a port, for chips up to M8: `CFG-PRT`. All fields are set at once, so read the
/// message, change it and write it.
public struct CfgPRT: UBXMessage {
    public static let id = UBXMessageID(0x06, 0x00)

    /// The port that the settings are for.
    public var port = UBXPort.uart1
    /// The settings of the TX-ready pin, which signals that data is waiting to be read.
    public var transmitReady: UInt16 = 0
    /// The data bits, parity and stop bits of a UART. Default: 8N1.
    public var mode: UInt32 = CfgPRT.mode8N1
    /// The baud rate of a UART.
    public var baudRate: UInt32 = 0
    /// The protocols that the port accepts.
    public var input = UBXProtocols(rawValue: 0)
    /// The protocols that the port sends.
    public var output = UBXProtocols(rawValue: 0)
    /// The flags. Bit 1 enables an extended timeout for transmission.
    public var flags: UInt16 = 0

    public init() {}

    public mutating func fields(_ coder: inout some UBXCoder) {
        coder.value(&port)
        coder.reserved(1)
        coder.integer(&transmitReady)
        coder.integer(&mode)
        coder.integer(&baudRate)
        coder.value(&input)
        coder.value(&output)
        coder.integer(&flags)
        coder.reserved(2)
    }

    /// Eight data bits, no parity, one stop bit.
    public static let mode8N1: UInt32 = 0x08C0

    /// The frame of a request for the settings of the port that receives it.
    public static var poll: [UInt8] { UBXFrame.bytes(id, payload: []) }

    /// Returns the frame of a request for the settings of a port.
    public static func poll(_ port: UBXPort) -> [UInt8] {
        UBXFrame.bytes(id, payload: [port.rawValue])
    }
}
