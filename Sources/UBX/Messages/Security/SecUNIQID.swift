// SPDX-License-Identifier: MIT

/// Identity of the chip: `SEC-UNIQID`, versions 1 and 2.
public struct SecUNIQID: UBXMessage {
    public static let id = UBXMessageID(0x27, 0x03)

    /// The version of the message: 1 has five bytes, 2 six.
    public var version: UInt8 = 1
    /// The chip's number.
    public var identity: [UInt8] = []

    public init() {}

    public mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&version)
        coder.reserved(3)
        coder.rest(&identity)
    }
}
