// SPDX-License-Identifier: MIT

/// Spectrum: `MON-SPAN`.
public struct MonSPAN: UBXMessage {
    public static let id = UBXMessageID(0x0A, 0x31)

    /// One band.
    public struct Block: UBXBlock {
        /// Quarters of a decibel, from the lowest frequency to the highest.
        public var spectrum = [UInt8](repeating: 0, count: 256)
        /// Hertz between the first value and the last.
        public var span: UInt32 = 0
        /// Hertz between two values.
        public var resolution: UInt32 = 0
        /// Hertz.
        public var center: UInt32 = 0
        /// Decibels of the programmable amplifier.
        public var gain: UInt8 = 0

        public init() {}

        public mutating func fields(_ coder: inout some UBXCoder) {
            for index in spectrum.indices { coder.integer(&spectrum[index]) }
            coder.integer(&span)
            coder.integer(&resolution)
            coder.integer(&center)
            coder.integer(&gain)
            coder.reserved(3)
        }
    }

    /// The version of the message.
    public var version: UInt8 = 0
    /// The number of the reporting receiver, in bits 0 and 1.
    public var source: UInt8 = 0
    /// One for each band.
    public var blocks: [Block] = []

    public init() {}

    public mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&version)
        coder.count(of: &blocks)
        coder.integer(&source)
        coder.reserved(1)
        coder.elements(&blocks)
    }
}
