// SPDX-License-Identifier: MIT

/// A fuzz target: code that accepts any bytes, and guarantees that it checks.
///
/// The fuzzers call it with new inputs, and the ordinary tests with inputs that broke a guarantee
/// before.
package struct Exercise: Sendable {
    /// The name, with which the names of its files begin: `framing-…`.
    package let name: String

    /// Runs the exercise. Throws if a guarantee is broken.
    package let run: @Sendable ([UInt8]) throws(Broken) -> Void

    /// Every exercise.
    package static let all = [
        framing, assembly, writing, messages, frames, navigation, corrections, authentication,
    ]

    /// Returns the exercise with a name; `nil` if there is none.
    package static func named(_ name: String) -> Exercise? { all.first { $0.name == name } }
}

/// The error for a broken guarantee.
package struct Broken: Error, CustomStringConvertible {
    /// The guarantee, and the input that broke it.
    package let description: String

    init(_ description: String) { self.description = description }
}

/// Throws an error if a guarantee is broken.
func expect(_ isKept: Bool, _ promise: @autoclosure () -> String) throws(Broken) {
    guard isKept else { throw Broken(promise()) }
}

/// Makes decisions from bytes. After the last byte, every decision is 0.
struct ByteSource {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isEmpty: Bool { position >= bytes.count }

    /// The bytes that have not been drawn yet.
    var rest: [UInt8] { Array(bytes.dropFirst(position)) }

    mutating func byte() -> UInt8 {
        guard !isEmpty else { return 0 }
        position += 1
        return bytes[position - 1]
    }

    /// Returns a number below `limit`, which is at most 256.
    mutating func number(below limit: Int) -> Int { Int(byte()) % limit }

    mutating func word() -> UInt64 { (0..<8).reduce(0) { word, _ in word << 8 | UInt64(byte()) } }

    mutating func pick<Value>(_ values: [Value]) -> Value { values[number(below: values.count)] }
}
