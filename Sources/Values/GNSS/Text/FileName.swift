// SPDX-License-Identifier: MIT
import Glibc

/// Converts file names, which are bytes, to strings, which are Unicode, and back.
///
/// A byte that is not part of valid UTF-8 becomes a private-use character (U+10FF80 to U+10FFFF).
/// `native(_:)` converts it back.
package enum FileName {
    private static let first: UInt32 = 0x10_FF00

    /// Returns the string for a file name.
    package static func string(_ bytes: some Collection<UInt8>) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        var text = String.UnicodeScalarView()
        var rest = Array(bytes)[...]
        while let byte = rest.first {
            // Decode one character at a time, so that everything valid is kept.
            let length = (1...4).first { length in
                length <= rest.count
                    && String(validating: rest.prefix(length), as: UTF8.self)?.unicodeScalars.count
                        == 1
            }
            if let length, let character = String(validating: rest.prefix(length), as: UTF8.self) {
                text.append(contentsOf: character.unicodeScalars)
            } else if let scalar = Unicode.Scalar(first + UInt32(byte)) {
                text.append(scalar)
            }
            rest = rest.dropFirst(length ?? 1)
        }
        return String(text)
    }

    /// Returns the string for a file name with a terminating zero, as C functions return it.
    package static func string(terminated name: UnsafePointer<CChar>) -> String {
        string(UnsafeRawBufferPointer(start: name, count: strlen(name)))
    }

    /// Returns the bytes of the file name for a string, with a terminating zero for C.
    package static func native(_ text: String) -> [CChar] {
        guard text.unicodeScalars.contains(where: isByte) else { return Array(text.utf8CString) }
        let bytes = text.unicodeScalars.flatMap { scalar -> [UInt8] in
            isByte(scalar)
                ? [UInt8(truncatingIfNeeded: scalar.value)] : Array(String(scalar).utf8)
        }
        return bytes.map { CChar(bitPattern: $0) } + [0]
    }

    /// Returns the name for display, with � in place of bytes that are not UTF-8.
    package static func shown(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isByte) else { return text }
        return String(
            String.UnicodeScalarView(text.unicodeScalars.map { isByte($0) ? "\u{FFFD}" : $0 }))
    }

    private static func isByte(_ scalar: Unicode.Scalar) -> Bool {
        first + 0x80...first + 0xFF ~= scalar.value
    }
}
