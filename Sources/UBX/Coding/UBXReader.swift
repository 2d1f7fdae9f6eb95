// SPDX-License-Identifier: MIT

/// Reads the fields of a payload in wire order. Fields beyond its end are 0 and make it malformed.
public struct UBXReader: UBXCoding, ~Copyable, ~Escapable {
    private let bytes: Span<UInt8>
    private var position = 0
    private let leavesOutLists: Bool

    /// The number of elements of the list that was left out.
    package private(set) var listCount = 0

    /// Whether a field was beyond the end of the payload, or the version is unknown.
    public private(set) var isMalformed = false

    /// Creates a reader at the start of a payload.
    @_lifetime(copy payload)
    public init(_ payload: Span<UInt8>) {
        bytes = payload
        leavesOutLists = false
    }

    /// Creates a reader that leaves out the message's list. The elements can be read one by one
    /// afterwards, without an array.
    @_lifetime(copy payload)
    package init(leavingOutListOf payload: Span<UInt8>) {
        bytes = payload
        leavesOutLists = true
    }

    /// Returns `false` if lists are left out; the number of elements is kept.
    public mutating func includesList(of count: Int) -> Bool {
        if leavesOutLists { listCount = count }
        return !leavesOutLists
    }

    /// Whether the list that was left out has all its elements, each of `size` bytes.
    package func canReadList(of size: Int) -> Bool { listCount * size <= bytes.count - position }

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
