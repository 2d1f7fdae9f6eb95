// SPDX-License-Identifier: MIT

/// The identity of the chip: `SEC-UNIQID`, versions 1 and 2.
public struct SecUNIQID: UBXMessage {
    public static let id = UBXMessageID(0x27, 0x03)

    /// The version of the message: version 1 has a chip ID of five bytes, version 2 of six.
    public var version: UInt8 = 1
    /// The unique number of the chip.
    public var identity: [UInt8] = []

    public init() {}

    public mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&version)
        coder.reserved(3)
        coder.rest(&identity)
    }
}
