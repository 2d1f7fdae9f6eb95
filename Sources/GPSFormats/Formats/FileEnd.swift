// SPDX-License-Identifier: MIT

/// The last lines of a file that may have been cut off at any byte.
struct FileEnd {
    /// The number of bytes in the complete lines that are kept.
    private(set) var kept: Int
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        kept = bytes.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    }

    /// The last line that is kept, without its line end; `nil` if there is none.
    var lastLine: ArraySlice<UInt8>? {
        guard kept > 0 else { return nil }
        let start = bytes[..<(kept - 1)].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        return bytes[start..<(kept - 1)]
    }

    /// Whether the last line begins with a text.
    func lastLineBegins(_ text: StaticString) -> Bool {
        let line = lastLine
        return text.withUTF8Buffer { line?.starts(with: $0) ?? false }
    }

    /// Drops the last line.
    mutating func dropLine() {
        guard let line = lastLine else { return }
        kept = line.startIndex
    }

    /// Returns the number of last bytes to keep of a file that begins with `start`; see `OutputFormat.resume`.
    ///
    /// `keep` drops lines at the end and returns whether the file can be continued after the last one. It is not
    /// called if the file is shorter than `start`.
    static func resume(
        _ head: [UInt8], _ end: [UInt8], start: String,
        keep: (inout FileEnd) -> Bool = { _ in true }
    ) -> Int? {
        guard head.starts(with: start.utf8) else {
            return start.utf8.starts(with: head) ? 0 : nil
        }
        var lines = FileEnd(end)
        return keep(&lines) ? lines.kept : nil
    }
}
