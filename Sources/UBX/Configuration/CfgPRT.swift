// SPDX-License-Identifier: MIT

/// A port, for chips up to M8: `CFG-PRT`. All fields are set at once, so read it, change it and write it.
public struct CfgPRT: UBXMessage {
    public static let id = UBXMessageID(0x06, 0x00)

    /// The port that the settings are for.
    public var port = UBXPort.uart1
    /// The pin that shows waiting data.
    public var transmitReady: UInt16 = 0
    /// Data bits, parity and stop bits of a UART; default 8N1.
    public var mode: UInt32 = CfgPRT.mode8N1
    /// Bits per second of a UART.
    public var baudRate: UInt32 = 0
    /// The protocols that the port accepts.
    public var input = UBXProtocols(rawValue: 0)
    /// The protocols that the port sends.
    public var output = UBXProtocols(rawValue: 0)
    /// Bit 1: an extended timeout for transmission.
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

    /// A poll of the port that the request comes in on.
    public static var poll: [UInt8] { UBXFrame.bytes(id, payload: []) }

    /// A poll of a port.
    public static func poll(_ port: UBXPort) -> [UInt8] {
        UBXFrame.bytes(id, payload: [port.rawValue])
    }
}
