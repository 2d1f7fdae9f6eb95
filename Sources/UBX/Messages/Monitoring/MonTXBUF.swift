// SPDX-License-Identifier: MIT

/// Buffers of output: `MON-TXBUF`, of the ports I2C, UART 1, UART 2, USB, SPI and a reserved one.
public struct MonTXBUF: UBXMessage {
    public static let id = UBXMessageID(0x0A, 0x08)

    /// Transmission errors.
    public struct Errors: UBXValue {
        public var rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// A bit for each port whose buffer is full.
        public var fullPorts: UInt8 { rawValue.bits(0...5) }
        /// No memory was left.
        public var isOutOfMemory: Bool { rawValue.hasBit(6) }
        /// A buffer was full: messages were dropped.
        public var isBufferFull: Bool { rawValue.hasBit(7) }
    }

    /// Bytes that wait to be sent.
    public var pending = [UInt16](repeating: 0, count: 6)
    /// Per cent of the buffer.
    public var usage = [UInt8](repeating: 0, count: 6)
    /// Per cent of the buffer.
    public var peakUsage = [UInt8](repeating: 0, count: 6)
    /// Per cent.
    public var totalUsage: UInt8 = 0
    /// Per cent.
    public var totalPeakUsage: UInt8 = 0
    /// Transmission errors.
    public var errors = Errors(rawValue: 0)

    public init() {}

    public mutating func fields(_ coder: inout some UBXCoder) {
        for index in pending.indices { coder.integer(&pending[index]) }
        for index in usage.indices { coder.integer(&usage[index]) }
        for index in peakUsage.indices { coder.integer(&peakUsage[index]) }
        coder.integer(&totalUsage)
        coder.integer(&totalPeakUsage)
        coder.value(&errors)
        coder.reserved(1)
    }
}
