// SPDX-License-Identifier: MIT

/// Reads the fields of a payload in wire order. A field beyond the end of the payload is read as 0
/// and makes the payload malformed.
public struct UBXReader: UBXCoding, ~Copyable, ~Escapable {
    private let bytes: Span<UInt8>
    private var position = 0
    private let skipsLists: Bool

    /// The number of elements of the list that was skipped; see `init(leavingOutListOf:)`.
    package private(set) var listCount = 0

    /// Whether the payload cannot be read: it is too short, or its version or format is unknown.
    public private(set) var isMalformed = false

    /// Creates a reader at the start of a payload.
    @_lifetime(copy payload)
    public init(_ payload: Span<UInt8>) {
        bytes = payload
        skipsLists = false
    }

    /// Creates a reader that skips the message's list of elements when it reads the message. Read
    /// the elements afterwards, one by one, which avoids allocating an array.
    @_lifetime(copy payload)
    package init(leavingOutListOf payload: Span<UInt8>) {
        bytes = payload
        skipsLists = true
    }

    /// Returns whether the elements of a list are read together with the message. If the reader
    /// skips lists, stores `count` in `listCount` and returns `false`.
    public mutating func includesList(of count: Int) -> Bool {
        if skipsLists { listCount = count }
        return !skipsLists
    }

    /// Returns whether the message is well-formed and the payload contains all elements of the
    /// skipped list, each with `size` bytes.
    package func canReadList(of size: Int) -> Bool {
        !isMalformed && listCount * size <= bytes.count - position
    }

    /// Reads a message, or an element of the skipped list.
    ///
    /// Other modules should call this function instead of `UBXBlock.read(_:)`. Within this module,
    /// the compiler specialises that function for each type; called from another module, it would
    /// run as generic code, which takes ten times as long.
    @inline(never)
    package mutating func read<Block: UBXBlock>(_ block: inout Block) { block.read(&self) }

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

    /// Skips bytes of unknown meaning.
    public mutating func reserved(_ count: Int) {
        guard count <= bytes.count - position else {
            position = bytes.count
            return isMalformed = true
        }
        position += max(0, count)
    }

    public mutating func reject() { isMalformed = true }
}
