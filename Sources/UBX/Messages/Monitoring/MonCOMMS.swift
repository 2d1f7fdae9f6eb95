// SPDX-License-Identifier: MIT

/// Ports: `MON-COMMS`.
public struct MonCOMMS: UBXMessage {
    public static let id = UBXMessageID(0x0A, 0x36)

    /// Transmission errors.
    public struct Errors: UBXValue {
        public var rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// No memory was left.
        public var isOutOfMemory: Bool { rawValue.hasBit(0) }
        /// A buffer was full: messages were dropped.
        public var isBufferFull: Bool { rawValue.hasBit(1) }
    }

    /// One port.
    public struct Port: UBXBlock {
        /// 0x0000 I2C, 0x0100 UART 1, 0x0201 UART 2, 0x0300 USB, 0x0400 SPI.
        public var number: UInt16 = 0
        /// Bytes that wait to be sent.
        public var pendingOut: UInt16 = 0
        /// Bytes sent.
        public var bytesOut: UInt32 = 0
        /// Per cent of the buffer.
        public var usageOut: UInt8 = 0
        /// Per cent of the buffer.
        public var peakUsageOut: UInt8 = 0
        /// Bytes that wait to be read.
        public var pendingIn: UInt16 = 0
        /// Bytes received.
        public var bytesIn: UInt32 = 0
        /// Per cent of the buffer.
        public var usageIn: UInt8 = 0
        /// Per cent of the buffer.
        public var peakUsageIn: UInt8 = 0
        /// Times of 100 ms with lost bytes.
        public var overruns: UInt16 = 0
        /// Messages received, by `protocols`.
        public var messages = [UInt16](repeating: 0, count: 4)
        /// Bytes that were not understood.
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
    /// The protocols of the four counters: 0 UBX, 1 NMEA, 5 RTCM 3, 6 SPARTN, 255 none.
    public var protocols = [UInt8](repeating: .max, count: 4)
    /// The ports.
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
