// SPDX-License-Identifier: MIT

/// The log of the jamming and spoofing detectors: `SEC-SIGLOG`.
public struct SecSIGLOG: UBXMessage {
    public static let id = UBXMessageID(0x27, 0x10)

    /// The data about one event.
    public struct Event: UBXBlock {
        /// The seconds since the event.
        public var age: UInt32 = 0
        /// The kind of detection, as a number defined by u-blox.
        public var detection: UInt8 = 0
        /// The kind of event, as a number defined by u-blox.
        public var event: UInt8 = 0

        public init() {}

        public mutating func fields(_ coder: inout some UBXCoder) {
            coder.integer(&age)
            coder.integer(&detection)
            coder.integer(&event)
            coder.reserved(2)
        }
    }

    /// The version of the message.
    public var version: UInt8 = 1
    /// The events, at most 16.
    public var events: [Event] = []

    public init() {}

    public mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&version)
        coder.count(of: &events)
        coder.reserved(6)
        coder.elements(&events)
    }
}
