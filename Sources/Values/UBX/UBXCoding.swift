// SPDX-License-Identifier: MIT

/// Processes the fields of a payload in wire order: a `UBXReader` sets each value, a `UBXWriter`
/// writes it.
public protocol UBXCoding: ~Copyable, ~Escapable {
    /// Reads or writes a little-endian integer with as many bytes as its type.
    @_lifetime(self: copy self)
    mutating func integer<Value: FixedWidthInteger>(_ value: inout Value)

    /// Skips `count` bytes of unknown meaning when reading, and writes them as zeros.
    @_lifetime(self: copy self)
    mutating func reserved(_ count: Int)

    /// Whether more fields follow. For a reader, `false` if no bytes are left; for a writer, always
    /// `true`.
    var hasMore: Bool { get }

    /// The number of bytes left to read; `nil` for a writer.
    var remaining: Int? { get }

    /// Returns whether the elements of a list are read or written together with the message. A
    /// reader may skip the list; it then stores `count` for reading the elements one by one.
    @_lifetime(self: copy self)
    mutating func includesList(of count: Int) -> Bool

    /// Marks the payload as malformed, because its version or format is unknown.
    mutating func reject()
}

/// A type that reads or writes the fields of a payload.
public typealias UBXCoder = UBXCoding & ~Copyable & ~Escapable

/// A number that represents one of several named values, or a set of bits. A number without a name
/// is kept unchanged.
public protocol UBXValue: RawRepresentable, Hashable, Sendable
where RawValue: FixedWidthInteger & Sendable {
    init(rawValue: RawValue)
}

extension UBXCoding where Self: ~Copyable & ~Escapable {
    private var isWriting: Bool { remaining == nil }

    /// By default, `true`: lists are read or written together with the message.
    @_lifetime(self: copy self)
    public mutating func includesList(of count: Int) -> Bool { true }

    /// Reads or writes a number that represents one of several values, or a set of bits.
    @_lifetime(self: copy self)
    public mutating func value<Value: UBXValue>(_ value: inout Value) {
        var number = value.rawValue
        integer(&number)
        value = Value(rawValue: number)
    }

    /// Reads or writes a fixed-point number. On the wire, it is an integer that counts fractions of
    /// a unit: with `per: 1000`, a value in metres is an integer in millimetres.
    @inline(__always)
    @_lifetime(self: copy self)
    public mutating func scaled<Wire: FixedWidthInteger>(
        _ value: inout Double, _ wire: Wire.Type, per unit: Double = 1
    ) {
        var number: Wire = isWriting ? Wire(rounding: value * unit) : 0
        integer(&number)
        value = Double(number) / unit
    }

    /// Reads or writes a fixed-point number. It is unknown (`nil`) if the integer on the wire
    /// equals `absent`.
    @inline(__always)
    @_lifetime(self: copy self)
    public mutating func scaled<Wire: FixedWidthInteger>(
        _ value: inout Double?, _ wire: Wire.Type, per unit: Double = 1, absent: Wire
    ) {
        var number = absent
        if isWriting, let value { number = Wire(rounding: value * unit) }
        integer(&number)
        value = number == absent ? nil : Double(number) / unit
    }

    /// Reads or writes a fixed-point number that is known only if `isKnown` is `true`, which
    /// another field determines. An unknown number is `nil`, and is written as 0.
    @inline(__always)
    @_lifetime(self: copy self)
    public mutating func scaled<Wire: FixedWidthInteger>(
        _ value: inout Double?, _ wire: Wire.Type, per unit: Double = 1, isKnown: Bool
    ) {
        var number: Wire = 0
        if isWriting, let value { number = Wire(rounding: value * unit) }
        integer(&number)
        value = isKnown ? Double(number) / unit : nil
    }

    /// Reads or writes a floating-point number of four bytes.
    @_lifetime(self: copy self)
    public mutating func float(_ value: inout Float) {
        var bits = value.bitPattern
        integer(&bits)
        value = Float(bitPattern: bits)
    }

    /// Reads or writes a floating-point number of eight bytes.
    @_lifetime(self: copy self)
    public mutating func double(_ value: inout Double) {
        var bits = value.bitPattern
        integer(&bits)
        value = Double(bitPattern: bits)
    }

    /// Reads or writes text in a field of fixed length. Text that is shorter than `count` bytes is
    /// filled with zeros; longer text is truncated. Non-ASCII bytes become `?`.
    @_lifetime(self: copy self)
    public mutating func text(_ value: inout String, count: Int) {
        let utf8 = Array(value.utf8.prefix(count))
        var bytes = utf8 + Array(repeating: 0, count: count - utf8.count)
        for index in bytes.indices { integer(&bytes[index]) }
        let used = bytes.prefix { $0 != 0 }.map { $0 < 0x80 ? $0 : UInt8(ascii: "?") }
        value = String(decoding: used, as: UTF8.self)
    }

    /// Reads or writes the number of elements of a list in one byte. Pass the elements themselves
    /// to `elements`.
    @_lifetime(self: copy self)
    public mutating func count<Element: UBXBlock>(of list: inout [Element]) {
        var count = UInt8(clamping: list.count)
        integer(&count)
        resize(&list, to: Int(count))
    }

    /// Sets the length of a list, so that its elements can then be read with `elements`. A `count`
    /// larger than the number of remaining bytes makes the payload malformed.
    @_lifetime(self: copy self)
    public mutating func resize<Element: UBXBlock>(_ list: inout [Element], to count: Int) {
        guard list.count != count, includesList(of: count) else { return }
        // An element has at least one byte, so a wrong length cannot cause an allocation larger
        // than the payload allows.
        guard count >= 0, remaining.map({ count <= $0 }) ?? true else { return reject() }
        list = Array(list.prefix(count))
        while list.count < count { list.append(Element()) }
    }

    /// Reads or writes the elements of a list, one after the other.
    @_lifetime(self: copy self)
    public mutating func elements<Element: UBXBlock>(_ list: inout [Element]) {
        for index in list.indices { list[index].fields(&self) }
    }

    /// Reads or writes a list that fills the rest of the payload. Each element has `size` bytes.
    @_lifetime(self: copy self)
    public mutating func rest<Element: UBXBlock>(_ list: inout [Element], size: Int) {
        if let remaining { resize(&list, to: remaining / size) }
        elements(&list)
    }

    /// Reads or writes all remaining bytes of the payload.
    @_lifetime(self: copy self)
    public mutating func rest(_ bytes: inout [UInt8]) {
        if let remaining { bytes = Array(repeating: 0, count: remaining) }
        for index in bytes.indices { integer(&bytes[index]) }
    }
}

/// Fields of one kind that follow each other.
extension UBXCoding where Self: ~Copyable & ~Escapable {
    /// Reads or writes integers.
    @inline(__always)
    @_lifetime(self: copy self)
    mutating func integers<A: FixedWidthInteger, B: FixedWidthInteger>(
        _ a: inout A, _ b: inout B
    ) {
        integer(&a)
        integer(&b)
    }

    @inline(__always)
    @_lifetime(self: copy self)
    mutating func integers<A: FixedWidthInteger, B: FixedWidthInteger, C: FixedWidthInteger>(
        _ a: inout A, _ b: inout B, _ c: inout C
    ) {
        integer(&a)
        integers(&b, &c)
    }

    @inline(__always)
    @_lifetime(self: copy self)
    mutating func integers<
        A: FixedWidthInteger, B: FixedWidthInteger, C: FixedWidthInteger, D: FixedWidthInteger
    >(_ a: inout A, _ b: inout B, _ c: inout C, _ d: inout D) {
        integers(&a, &b)
        integers(&c, &d)
    }

    /// Reads or writes fixed-point numbers that count the same fractions of a unit.
    @inline(__always)
    @_lifetime(self: copy self)
    mutating func scaled<Wire: FixedWidthInteger>(
        _ a: inout Double, _ b: inout Double, _ wire: Wire.Type, per unit: Double = 1
    ) {
        scaled(&a, wire, per: unit)
        scaled(&b, wire, per: unit)
    }

    @inline(__always)
    @_lifetime(self: copy self)
    mutating func scaled<Wire: FixedWidthInteger>(
        _ a: inout Double, _ b: inout Double, _ c: inout Double, _ wire: Wire.Type,
        per unit: Double = 1
    ) {
        scaled(&a, wire, per: unit)
        scaled(&b, &c, wire, per: unit)
    }

    @inline(__always)
    @_lifetime(self: copy self)
    mutating func scaled<Wire: FixedWidthInteger>(
        _ a: inout Double, _ b: inout Double, _ c: inout Double, _ d: inout Double,
        _ wire: Wire.Type, per unit: Double = 1
    ) {
        scaled(&a, &b, wire, per: unit)
        scaled(&c, &d, wire, per: unit)
    }
}

extension FixedWidthInteger {
    /// Creates the integer nearest to `value`. A value out of range becomes the minimum or maximum,
    /// and NaN becomes 0.
    package init(rounding value: Double) {
        let rounded = value.rounded()
        if let exact = Self(exactly: rounded) {
            self = exact
        } else {
            self = value.isNaN ? 0 : value < 0 ? .min : .max
        }
    }

    /// Returns whether a bit is set. Bit 0 is the least significant bit.
    @inline(__always)
    func hasBit(_ index: Int) -> Bool { self >> Self(index) & 1 == 1 }

    /// Returns the number that the bits in `range` form.
    @inline(__always)
    func bits(_ range: ClosedRange<Int>) -> Self {
        self >> Self(range.lowerBound) & ((1 << Self(range.count)) - 1)
    }
}

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
    @_lifetime(self: copy self)
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
    @_lifetime(self: copy self)
    package mutating func read<Block: UBXBlock>(_ block: inout Block) { block.read(&self) }

    public var hasMore: Bool { position < bytes.count }

    public var remaining: Int? { bytes.count - position }

    @inline(__always)
    @_lifetime(self: copy self)
    public mutating func integer<Value: FixedWidthInteger>(_ value: inout Value) {
        let size = Value.bitWidth / 8
        guard bytes.count - position >= size else {
            value = 0
            position = bytes.count
            return isMalformed = true
        }
        var number: UInt64 = 0
        for index in 0..<size {
            number |= UInt64(bytes[position &+ index]) &<< UInt64(index &* 8)
        }
        value = Value(truncatingIfNeeded: number)
        position += size
    }

    /// Skips bytes of unknown meaning.
    @_lifetime(self: copy self)
    public mutating func reserved(_ count: Int) {
        guard count <= bytes.count - position else {
            position = bytes.count
            return isMalformed = true
        }
        position += max(0, count)
    }

    public mutating func reject() { isMalformed = true }
}

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
