// SPDX-License-Identifier: MIT

/// The spectrum of the received bands: `MON-SPAN`.
public struct MonSPAN: UBXMessage {
    public static let id = UBXMessageID(0x0A, 0x31)

    /// The spectrum of one band.
    public struct Block: UBXBlock {
        /// The signal levels at 256 frequencies in units of 0.25 dB, from the lowest frequency to
        /// the highest.
        public var spectrum = [UInt8](repeating: 0, count: 256)
        /// The difference between the first and the last frequency in hertz.
        public var span: UInt32 = 0
        /// The difference between two neighbouring frequencies in hertz.
        public var resolution: UInt32 = 0
        /// The centre frequency in hertz.
        public var center: UInt32 = 0
        /// The gain of the programmable amplifier in decibels.
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
    /// The spectrum of each band.
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
