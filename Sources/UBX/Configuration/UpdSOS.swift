// SPDX-License-Identifier: MIT

/// Saving the battery-backed memory to flash before power goes off, on M8: `UPD-SOS`.
public struct UpdSOS: UBXMessage {
    public static let id = UBXMessageID(0x09, 0x14)

    /// 0 save, 1 erase; in answers 2 saved or not, 3 the state after the start.
    public var command: UInt8 = 0
    /// The answer, one byte and three reserved ones: to 2, 0 no and 1 yes; to 3, 0 unknown, 1 failed, 2 restored, 3 nothing saved.
    public var response: [UInt8] = []

    public init() {}

    public mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&command)
        coder.reserved(3)
        coder.rest(&response)
    }
}
