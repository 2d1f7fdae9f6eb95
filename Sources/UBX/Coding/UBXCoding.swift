// SPDX-License-Identifier: MIT

/// Passes over a payload's fields in wire order: a `UBXReader` sets each value, a `UBXWriter` writes it.
public protocol UBXCoding: ~Copyable, ~Escapable {
    /// A little-endian integer of as many bytes as its type has.
    mutating func integer<Value: FixedWidthInteger>(_ value: inout Value)

    /// Whether more fields follow: `false` if a reader has no bytes left; always `true` for a writer.
    var hasMore: Bool { get }

    /// The number of bytes that are left to read; `nil` for a writer.
    var remaining: Int? { get }

    /// Whether to read or write the elements of a list of `count` elements with the message.
    mutating func includesList(of count: Int) -> Bool

    /// Marks the payload as malformed, because its version or its form is not known.
    mutating func reject()
}

/// A reader or a writer of fields.
public typealias UBXCoder = UBXCoding & ~Copyable & ~Escapable

/// A number that stands for one of several values, or a set of bits.
public protocol UBXValue: RawRepresentable, Hashable, Sendable
where RawValue: FixedWidthInteger & Sendable {
    /// Creates a value; any number is accepted.
    init(rawValue: RawValue)
}

extension UBXCoding where Self: ~Copyable & ~Escapable {
    private var isWriting: Bool { remaining == nil }

    /// Default: `true`.
    public mutating func includesList(of count: Int) -> Bool { true }

    /// A number that stands for one of several values, or a set of bits.
    public mutating func value<Value: UBXValue>(_ value: inout Value) {
        var number = value.rawValue
        integer(&number)
        value = Value(rawValue: number)
    }

    /// A fixed-point number: an integer that counts parts of a unit, such as 1,000 per metre.
    public mutating func scaled<Wire: FixedWidthInteger>(
        _ value: inout Double, _ wire: Wire.Type, per unit: Double = 1
    ) {
        var number: Wire = isWriting ? Wire(rounding: value * unit) : 0
        integer(&number)
        value = Double(number) / unit
    }

    /// A fixed-point number that is unknown where the integer is `absent`.
    public mutating func scaled<Wire: FixedWidthInteger>(
        _ value: inout Double?, _ wire: Wire.Type, per unit: Double = 1, absent: Wire
    ) {
        var number = absent
        if isWriting, let value { number = Wire(rounding: value * unit) }
        integer(&number)
        value = number == absent ? nil : Double(number) / unit
    }

    /// A fixed-point number that is known only where another field says so; 0 is written otherwise.
    public mutating func scaled<Wire: FixedWidthInteger>(
        _ value: inout Double?, _ wire: Wire.Type, per unit: Double = 1, isKnown: Bool
    ) {
        var number: Wire = 0
        if isWriting, let value { number = Wire(rounding: value * unit) }
        integer(&number)
        value = isKnown ? Double(number) / unit : nil
    }

    /// A floating-point number of four bytes.
    public mutating func float(_ value: inout Float) {
        var bits = value.bitPattern
        integer(&bits)
        value = Float(bitPattern: bits)
    }

    /// A floating-point number of eight bytes.
    public mutating func double(_ value: inout Double) {
        var bits = value.bitPattern
        integer(&bits)
        value = Double(bitPattern: bits)
    }

    /// Text in a field of fixed length, ended by a zero byte where it is shorter. Bytes that are not ASCII become `?`.
    public mutating func text(_ value: inout String, count: Int) {
        let utf8 = Array(value.utf8.prefix(count))
        var bytes = utf8 + Array(repeating: 0, count: count - utf8.count)
        for index in bytes.indices { integer(&bytes[index]) }
        let used = bytes.prefix { $0 != 0 }.map { $0 < 0x80 ? $0 : UInt8(ascii: "?") }
        value = String(decoding: used, as: UTF8.self)
    }

    /// Bytes without a known meaning; zeros are written.
    public mutating func reserved(_ count: Int) {
        var byte: UInt8 = 0
        for _ in 0..<count { integer(&byte) }
    }

    /// The number of elements of a list, which follows as `elements`.
    public mutating func count<Element: UBXBlock>(of list: inout [Element]) {
        var count = UInt8(clamping: list.count)
        integer(&count)
        resize(&list, to: Int(count))
    }

    /// Changes the length of a list before its elements are read; a writer writes as many.
    public mutating func resize<Element: UBXBlock>(_ list: inout [Element], to count: Int) {
        guard list.count != count, includesList(of: count) else { return }
        // An element has at least one byte: a length that was made up allocates nothing.
        guard count >= 0, remaining.map({ count <= $0 }) ?? true else { return reject() }
        list = Array(list.prefix(count))
        while list.count < count { list.append(Element()) }
    }

    /// The elements of a list, one after the other.
    public mutating func elements<Element: UBXBlock>(_ list: inout [Element]) {
        for index in list.indices { list[index].fields(&self) }
    }

    /// Elements of `size` bytes up to the end of the payload.
    public mutating func rest<Element: UBXBlock>(_ list: inout [Element], size: Int) {
        if let remaining { resize(&list, to: remaining / size) }
        elements(&list)
    }

    /// Bytes up to the end of the payload.
    public mutating func rest(_ bytes: inout [UInt8]) {
        if let remaining { bytes = Array(repeating: 0, count: remaining) }
        for index in bytes.indices { integer(&bytes[index]) }
    }
}

extension FixedWidthInteger {
    /// The nearest integer; the nearest bound where there is none, 0 for what is not a number.
    fileprivate init(rounding value: Double) {
        let rounded = value.rounded()
        if let exact = Self(exactly: rounded) {
            self = exact
        } else {
            self = value.isNaN ? 0 : value < 0 ? .min : .max
        }
    }

    /// Whether a bit is set; bit 0 has the value 1.
    func hasBit(_ index: Int) -> Bool { self >> Self(index) & 1 == 1 }

    /// The number that several bits form.
    func bits(_ range: ClosedRange<Int>) -> Self {
        self >> Self(range.lowerBound) & ((1 << Self(range.count)) - 1)
    }
}
