// SPDX-License-Identifier: MIT

/// How a file begins, beside what its format writes first.
enum FileHead {
    case whole, cutOff, foreign

    init(_ bytes: [UInt8], expected: StaticString) {
        self = expected.withUTF8Buffer { expected in
            if bytes.starts(with: expected) { return .whole }
            return expected.starts(with: bytes) ? .cutOff : .foreign
        }
    }
}

/// The last lines of a file that may have been cut off anywhere.
struct FileEnd {
    /// How many of the bytes belong to whole lines that are kept.
    private(set) var kept: Int
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        kept = bytes.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    }

    /// The last whole line that is kept, without its end; `nil` where there is none.
    var lastLine: ArraySlice<UInt8>? {
        guard kept > 0 else { return nil }
        let start = bytes[..<(kept - 1)].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        return bytes[start..<(kept - 1)]
    }

    /// Whether the last line begins like this.
    func lastLineBegins(_ text: StaticString) -> Bool {
        let line = lastLine
        return text.withUTF8Buffer { line?.starts(with: $0) ?? false }
    }

    /// Keeps one line less.
    mutating func dropLine() {
        guard let line = lastLine else { return }
        kept = line.startIndex
    }
}
