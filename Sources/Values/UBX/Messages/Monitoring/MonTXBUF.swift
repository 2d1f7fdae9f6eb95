// SPDX-License-Identifier: MIT

/// The state of the output buffers: `MON-TXBUF`. Each list has six elements, for I2C, UART 1, UART
/// 2, USB, SPI and a reserved port.
public struct MonTXBUF: UBXMessage {
    public static let id = UBXMessageID(0x0A, 0x08)

    /// Transmission errors.
    public struct Errors: UBXValue {
        public var rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// The ports whose buffer is full, one bit for each.
        public var fullPorts: UInt8 { rawValue.bits(0...5) }
        /// Whether the receiver ran out of memory.
        public var isOutOfMemory: Bool { rawValue.hasBit(6) }
        /// Whether messages were dropped because a buffer was full.
        public var isBufferFull: Bool { rawValue.hasBit(7) }
    }

    /// The number of bytes waiting to be sent on each port.
    public var pending = [UInt16](repeating: 0, count: 6)
    /// The usage of each port's buffer in per cent.
    public var usage = [UInt8](repeating: 0, count: 6)
    /// The peak usage of each port's buffer in per cent.
    public var peakUsage = [UInt8](repeating: 0, count: 6)
    /// The usage of all buffers together in per cent.
    public var totalUsage: UInt8 = 0
    /// The peak usage of all buffers together in per cent.
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
