// SPDX-License-Identifier: MIT

/// Reports that a configuration message was accepted: `ACK-ACK`.
package struct AckACK: UBXMessage {
    package static let id = UBXMessageID(0x05, 0x01)

    package var messageClass: UInt8 = 0
    /// The id of the accepted message within its class.
    package var number: UInt8 = 0

    package init() {}

    package mutating func fields(_ coder: inout some UBXCoder) {
        coder.integers(&messageClass, &number)
    }
}

/// Reports that a configuration message was rejected: `ACK-NAK`.
package struct AckNAK: UBXMessage {
    package static let id = UBXMessageID(0x05, 0x00)

    private var messageClass: UInt8 = 0
    /// The id of the rejected message within its class.
    package var number: UInt8 = 0

    package init() {}

    package mutating func fields(_ coder: inout some UBXCoder) {
        coder.integers(&messageClass, &number)
    }
}

/// Saves the battery-backed memory to flash before power is switched off, on M8: `UPD-SOS`.
struct UpdSOS: UBXMessage {
    package static let id = UBXMessageID(0x09, 0x14)

    /// The command: 0 save, 1 erase. In answers: 2 the result of saving, 3 the result of restoring
    /// at start.
    private var command: UInt8 = 0
    /// The result in an answer: one byte, followed by three reserved bytes. It is empty in a
    /// command. For command 2: 0 not saved, 1 saved. For command 3: 0 unknown, 1 failed, 2
    /// restored, 3 nothing was saved.
    private var response: [UInt8] = []

    package init() {}

    package mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&command)
        coder.reserved(3)
        coder.rest(&response)
    }
}
