// SPDX-License-Identifier: MIT

/// Writes the fields of a message, lowest byte first.
///
/// A value that is `nil` or does not fit into its field is written as *not available*, the highest
/// number of the field. The two numbers below it are reserved.
struct NMEA2000Fields {
    private(set) var bytes: [UInt8] = []

    /// Appends a number in `count` bytes, multiplied by `scale` and rounded.
    mutating func add(
        _ value: Double?, perUnit scale: Double, signed isSigned: Bool = false, bytes count: Int
    ) {
        add(
            value.flatMap { Int64(exactly: ($0 * scale).rounded()) }, signed: isSigned,
            bytes: count)
    }

    /// Appends an integer in `count` bytes.
    mutating func add(_ value: Int64?, signed isSigned: Bool = false, bytes count: Int) {
        let absent = UInt64.max >> (64 - count * 8 + (isSigned ? 1 : 0))
        let isValid = value.map { $0.magnitude <= absent - 3 && (isSigned || $0 >= 0) } ?? false
        append(isValid ? value.map { UInt64(bitPattern: $0) } ?? absent : absent, count)
    }

    /// Appends a byte, such as a sequence id; `nil` is written as 255.
    mutating func add(byte: UInt8?) {
        bytes.append(byte ?? 0xFF)
    }

    /// Appends a byte that consists of several values, the lowest bits first. `nil`, also for
    /// reserved bits, is written as ones.
    mutating func add(bits fields: [(value: UInt8?, count: Int)]) {
        var byte: UInt8 = 0
        var used = 0
        for field in fields {
            let mask = UInt8.max >> (8 - field.count)
            byte |= ((field.value ?? mask) & mask) << used
            used += field.count
        }
        bytes.append(byte)
    }

    /// Appends ASCII text in `count` bytes, truncated or padded with bytes of 255.
    mutating func add(text: String, bytes count: Int) {
        let text = text.utf8.map { 0x20..<0x7F ~= $0 ? $0 : UInt8(ascii: "?") }.prefix(count)
        bytes += text + [UInt8](repeating: 0xFF, count: count - text.count)
    }

    /// Appends reserved bytes of 255.
    mutating func addReserved(bytes count: Int) {
        bytes += [UInt8](repeating: 0xFF, count: count)
    }

    /// Appends the number of a parameter group (PGN), in three bytes.
    mutating func add(_ group: UInt32) {
        append(UInt64(group), 3)
    }

    private mutating func append(_ value: UInt64, _ count: Int) {
        for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
    }
}
