// SPDX-License-Identifier: MIT

/// Reads a payload's fields in wire order. Past the end, fields are 0 and the payload is malformed.
public struct UBXReader: UBXCoding, ~Copyable, ~Escapable {
    private let bytes: Span<UInt8>
    private var position = 0

    /// Whether a field lay behind the end of the payload, or a version was not known.
    public private(set) var isMalformed = false

    /// Creates a reader at the start of a payload.
    @_lifetime(copy payload)
    public init(_ payload: Span<UInt8>) {
        bytes = payload
    }

    public var hasMore: Bool { position < bytes.count }

    public var remaining: Int? { bytes.count - position }

    @inline(__always)
    public mutating func integer<Value: FixedWidthInteger>(_ value: inout Value) {
        let size = Value.bitWidth / 8
        guard bytes.count - position >= size else {
            value = 0
            position = bytes.count
            return isMalformed = true
        }
        var number: Value.Magnitude = 0
        for index in 0..<size {
            number |= Value.Magnitude(bytes[position &+ index]) &<< Value.Magnitude(index &* 8)
        }
        value = Value(truncatingIfNeeded: number)
        position += size
    }

    public mutating func reject() { isMalformed = true }
}
