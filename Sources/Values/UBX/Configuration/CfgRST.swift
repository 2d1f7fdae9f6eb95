// SPDX-License-Identifier: MIT

/// Restarts the receiver: `CFG-RST`. The receiver does not acknowledge the message.
public struct CfgRST: UBXMessage {
    public static let id = UBXMessageID(0x06, 0x04)

    /// The part of the receiver to restart, and the kind of reset.
    public struct Mode: UBXValue {
        public var rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// Restarts the hardware immediately. A USB device disconnects.
        public static let hardware = Mode(rawValue: 0)
        /// Restarts only the firmware; the hardware keeps running.
        public static let software = Mode(rawValue: 1)
        /// Restarts the GNSS subsystem; the port stays connected.
        public static let gnssOnly = Mode(rawValue: 2)
        /// Shuts the receiver down, and then restarts the hardware.
        public static let shutdown = Mode(rawValue: 4)
        /// Stops the GNSS subsystem.
        public static let stop = Mode(rawValue: 8)
        /// Starts the GNSS subsystem.
        public static let start = Mode(rawValue: 9)
    }

    /// The data to clear: 0 none (hot start), 1 ephemerides (warm start), `0xFFFF` all (cold
    /// start).
    public var clearedData: UInt16 = 0
    /// The part of the receiver to restart, and the kind of reset.
    public var mode = Mode.gnssOnly

    public init() {}

    public mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&clearedData)
        coder.value(&mode)
        coder.reserved(1)
    }
}
