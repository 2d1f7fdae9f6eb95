// SPDX-License-Identifier: MIT

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
