// SPDX-License-Identifier: MIT

/// Processes a sentence's fields in wire order: a `FieldReader` sets each value, a `SentenceWriter`
/// writes it.
///
/// Each kind of field is a method such as `decimal` that defines how it is read and written. A
/// sentence with its own kind of field calls `field` directly:
///
/// ```swift
/// coder.field(&age, read: { $0.integer().map(Double.init) }, write: { $0.decimal($1, decimals: 0) })
/// ```
public protocol FieldCoding: ~Copyable, ~Escapable {
    /// Reads or writes one value, which may span several fields.
    mutating func field<Value>(
        _ value: inout Value, read: (inout FieldReader) -> Value,
        write: (inout SentenceWriter, Value) -> Void)
}

/// A type that reads or writes fields.
public typealias FieldCoder = FieldCoding & ~Copyable & ~Escapable

extension FieldReader: FieldCoding {
    /// Sets `value` to the result of `read`.
    @inline(__always)
    public mutating func field<Value>(
        _ value: inout Value, read: (inout FieldReader) -> Value,
        write: (inout SentenceWriter, Value) -> Void
    ) {
        value = read(&self)
    }
}

extension SentenceWriter: FieldCoding {
    /// Writes `value` by calling `write`.
    public mutating func field<Value>(
        _ value: inout Value, read: (inout FieldReader) -> Value,
        write: (inout SentenceWriter, Value) -> Void
    ) {
        write(&self, value)
    }
}
