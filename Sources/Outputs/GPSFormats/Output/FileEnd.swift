// SPDX-License-Identifier: MIT

/// The end of a file that is to be continued. The file may have been truncated at any byte, so
/// this type determines which of the last lines are complete and are kept.
struct FileEnd {
    /// The number of bytes to keep; they are complete lines.
    private(set) var kept: Int
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        kept = bytes.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    }

    /// The last of the lines to keep, without its line end; `nil` if there is none.
    var lastLine: ArraySlice<UInt8>? {
        guard kept > 0 else { return nil }
        let start = bytes[..<(kept - 1)].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        return bytes[start..<(kept - 1)]
    }

    /// Returns whether the last of the lines to keep begins with a text.
    func lastLineBegins(_ text: StaticString) -> Bool {
        let line = lastLine
        return text.withUTF8Buffer { line?.starts(with: $0) ?? false }
    }

    /// Removes the last line from the lines to keep.
    mutating func dropLine() {
        guard let line = lastLine else { return }
        kept = line.startIndex
    }

    /// Returns the segment number that a text contains; `nil` if the text is not a number, or if
    /// the number is too large for any recording.
    static func segment(_ text: ArraySlice<UInt8>) -> Int? {
        Int32(String(decoding: text, as: UTF8.self)).map { Int($0) }
    }

    /// Returns the number of bytes of `end`, the last bytes of a file, to keep when the file is
    /// continued; see `OutputFormat.resume`. Returns `nil` if the file does not begin with `start`
    /// or cannot be continued.
    ///
    /// `keep` removes lines that must be rewritten, and returns whether the file can be continued
    /// after the remaining lines. It is not called if the file is shorter than `start`; then
    /// nothing is kept.
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
