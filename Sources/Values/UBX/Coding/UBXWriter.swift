// SPDX-License-Identifier: MIT

/// Writes a payload's fields in wire order.
public struct UBXWriter: UBXCoding {
    /// The bytes written so far.
    public private(set) var bytes: [UInt8] = []

    /// Creates an empty writer.
    public init() {}

    /// Always `true`, because a writer has no end.
    public var hasMore: Bool { true }

    /// Always `nil`, because a writer has no limit.
    public var remaining: Int? { nil }

    public mutating func integer<Value: FixedWidthInteger>(_ value: inout Value) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// Writes zeros for bytes of unknown meaning.
    public mutating func reserved(_ count: Int) {
        bytes.append(contentsOf: repeatElement(0, count: max(0, count)))
    }

    /// Does nothing, because a writer produces only valid payloads.
    public mutating func reject() {}
}
