// SPDX-License-Identifier: MIT

/// A restart: `CFG-RST`. It is not acknowledged.
public struct CfgRST: UBXMessage {
    public static let id = UBXMessageID(0x06, 0x04)

    /// The part that is restarted.
    public struct Mode: UBXValue {
        public var rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// The hardware, at once: a USB port disappears.
        public static let hardware = Mode(rawValue: 0)
        /// The firmware.
        public static let software = Mode(rawValue: 1)
        /// The search for satellites; the port stays.
        public static let gnssOnly = Mode(rawValue: 2)
        /// The hardware, after a shutdown.
        public static let shutdown = Mode(rawValue: 4)
        /// Stops the search for satellites.
        public static let stop = Mode(rawValue: 8)
        /// Starts the search for satellites.
        public static let start = Mode(rawValue: 9)
    }

    /// The data to forget: 0 none (hot), 1 ephemerides (warm), `0xFFFF` everything (cold).
    public var clearedData: UInt16 = 0
    /// The part that is restarted.
    public var mode = Mode.gnssOnly

    public init() {}

    public mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&clearedData)
        coder.value(&mode)
        coder.reserved(1)
    }
}
