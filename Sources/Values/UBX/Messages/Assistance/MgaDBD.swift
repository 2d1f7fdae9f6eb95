// SPDX-License-Identifier: MIT

/// An entry of the navigation database: `MGA-DBD`. Only the receiver that created it can use it.
public struct MgaDBD: UBXMessage {
    public static let id = UBXMessageID(0x13, 0x80)

    /// The entry, whose format is not public.
    public var data: [UInt8] = []

    public init() {}

    public mutating func fields(_ coder: inout some UBXCoder) {
        coder.reserved(12)
        coder.rest(&data)
    }
}
