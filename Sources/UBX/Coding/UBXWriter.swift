// SPDX-License-Identifier: MIT

/// Writes a payload's fields in wire order.
public struct UBXWriter: UBXCoding {
    /// Everything written so far.
    public private(set) var bytes: [UInt8] = []

    /// Creates an empty writer.
    public init() {}

    /// Always `true`.
    public var hasMore: Bool { true }

    /// Always `nil`.
    public var remaining: Int? { nil }

    public mutating func integer<Value: FixedWidthInteger>(_ value: inout Value) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// Does nothing: whatever is written is well-formed.
    public mutating func reject() {}
}
