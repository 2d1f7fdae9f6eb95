// SPDX-License-Identifier: MIT

/// The state of the ports: `MON-COMMS`.
public struct MonCOMMS: UBXMessage {
    public static let id = UBXMessageID(0x0A, 0x36)

    /// Transmission errors.
    public struct Errors: UBXValue {
        public var rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// Whether the receiver ran out of memory.
        public var isOutOfMemory: Bool { rawValue.hasBit(0) }
        /// Whether messages were dropped because a buffer was full.
        public var isBufferFull: Bool { rawValue.hasBit(1) }
    }

    /// The state of one port.
    public struct Port: UBXBlock {
        /// The number of the port: 0x0000 I2C, 0x0100 UART 1, 0x0201 UART 2, 0x0300 USB, 0x0400
        /// SPI.
        public var number: UInt16 = 0
        /// The number of bytes waiting to be sent.
        public var pendingOut: UInt16 = 0
        /// The number of bytes sent.
        public var bytesOut: UInt32 = 0
        /// The usage of the output buffer in per cent.
        public var usageOut: UInt8 = 0
        /// The peak usage of the output buffer in per cent.
        public var peakUsageOut: UInt8 = 0
        /// The number of bytes waiting to be read.
        public var pendingIn: UInt16 = 0
        /// The number of bytes received.
        public var bytesIn: UInt32 = 0
        /// The usage of the input buffer in per cent.
        public var usageIn: UInt8 = 0
        /// The peak usage of the input buffer in per cent.
        public var peakUsageIn: UInt8 = 0
        /// The number of 100 ms intervals with lost bytes.
        public var overruns: UInt16 = 0
        /// The number of received messages for each protocol in `MonCOMMS.protocols`.
        public var messages = [UInt16](repeating: 0, count: 4)
        /// The number of received bytes that belong to no known protocol.
        public var skipped: UInt32 = 0

        public init() {}

        public mutating func fields(_ coder: inout some UBXCoder) {
            coder.integer(&number)
            coder.integer(&pendingOut)
            coder.integer(&bytesOut)
            coder.integer(&usageOut)
            coder.integer(&peakUsageOut)
            coder.integer(&pendingIn)
            coder.integer(&bytesIn)
            coder.integer(&usageIn)
            coder.integer(&peakUsageIn)
            coder.integer(&overruns)
            for index in messages.indices { coder.integer(&messages[index]) }
            coder.reserved(8)
            coder.integer(&skipped)
        }
    }

    /// The version of the message.
    public var version: UInt8 = 0
    /// Transmission errors.
    public var errors = Errors(rawValue: 0)
    /// The protocols of the four counters in `Port.messages`: 0 UBX, 1 NMEA, 5 RTCM 3, 6 SPARTN,
    /// 255 none.
    public var protocols = [UInt8](repeating: .max, count: 4)
    /// The state of each port.
    public var ports: [Port] = []

    public init() {}

    public mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&version)
        coder.count(of: &ports)
        coder.value(&errors)
        coder.reserved(1)
        for index in protocols.indices { coder.integer(&protocols[index]) }
        coder.elements(&ports)
    }
}
