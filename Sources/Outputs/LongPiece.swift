// SPDX-License-Identifier: MIT

/// Up to 48 characters that are written as they are, made ready once.
struct LongPiece: Sendable {
    let first: JSONPiece
    let second: JSONPiece
    let third: JSONPiece

    init(_ text: String) {
        let bytes = Array(text.utf8)
        first = JSONPiece(bytes.prefix(16))
        second = JSONPiece(bytes.dropFirst(16).prefix(16))
        third = JSONPiece(bytes.dropFirst(32).prefix(16))
    }
}
