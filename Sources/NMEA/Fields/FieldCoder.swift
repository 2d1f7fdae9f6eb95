// SPDX-License-Identifier: MIT

/// Passes over a sentence's fields in wire order: a `FieldReader` sets each value, a `SentenceWriter`
/// writes it.
///
/// A kind of field is a method that states both ways. One of your own:
///
/// ```swift
/// extension FieldCoding where Self: ~Copyable & ~Escapable {
///     mutating func flag(_ value: inout Bool?) {
///         field(&value) { $0.letter().map { $0 == 89 } } write: { $0.letter($1.map { $0 ? 89 : 78 }) }
///     }
/// }
/// ```
public protocol FieldCoding: ~Copyable, ~Escapable {
    /// Reads or writes one value, which may take several fields.
    mutating func field<Value>(
        _ value: inout Value, read: (inout FieldReader) -> Value,
        write: (inout SentenceWriter, Value) -> Void)
}

/// A reader or a writer of fields.
public typealias FieldCoder = FieldCoding & ~Copyable & ~Escapable

extension FieldReader: FieldCoding {
    /// Sets the value.
    @inline(__always)
    public mutating func field<Value>(
        _ value: inout Value, read: (inout FieldReader) -> Value,
        write: (inout SentenceWriter, Value) -> Void
    ) {
        value = read(&self)
    }
}

extension SentenceWriter: FieldCoding {
    /// Writes the value.
    public mutating func field<Value>(
        _ value: inout Value, read: (inout FieldReader) -> Value,
        write: (inout SentenceWriter, Value) -> Void
    ) {
        write(&self, value)
    }
}
