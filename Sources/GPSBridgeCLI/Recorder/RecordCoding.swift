// SPDX-License-Identifier: MIT
import Glibc

/// The encoding of a recording in its file: plain or compressed.
protocol RecordCoding: AnyObject {
    /// Determines where an existing file continues. `turn` receives the first and the last bytes of its
    /// content, and returns how many of the last ones are kept.
    ///
    /// Returns `nil` if the file is not such a recording; throws a `RecordFile.Failure`.
    func resume(_ file: FileBytes, _ turn: (_ head: [UInt8], _ end: [UInt8]) -> Int?) throws
        -> RecordEnding?

    /// Begins an empty file.
    func begin() throws

    /// Encodes bytes; the file may be incomplete without `closing`.
    func encoded(_ bytes: [UInt8]) throws -> [UInt8]

    /// Encodes the last bytes and the end that makes the file complete.
    func closing(_ bytes: [UInt8]) -> [UInt8]

    /// How long bytes may be gathered before they are encoded: larger blocks compress better.
    var gatheringTime: Duration { get }
}

/// The point where an existing recording continues.
struct RecordEnding {
    /// The number of bytes of the file that stay unchanged.
    let kept: Int
    /// The content after them.
    let rest: [UInt8]
    /// Whether the end of the file was cut off.
    let isTorn: Bool
}

/// Random access to a file's bytes.
struct FileBytes {
    let descriptor: CInt
    let path: String
    let size: Int

    /// Reads up to `count` bytes at an offset.
    ///
    /// The corresponding C function is `pread`.
    func read(_ offset: Int, _ count: Int) -> [UInt8] {
        let count = min(count, max(0, size - offset))
        var done = 0
        var bytes = [UInt8](repeating: 0, count: count)
        while done < count {
            let some = bytes.withUnsafeMutableBytes { buffer in
                pread(
                    descriptor, buffer.baseAddress?.advanced(by: done), count - done,
                    off_t(offset + done))
            }
            if some < 0, errno == EINTR { continue }
            guard some > 0 else { break }
            done += some
        }
        return Array(bytes.prefix(done))
    }
}

/// The sizes of the parts of a file that `OutputFormat.resume` examines.
enum RecordParts {
    static let head = 4096
    static let end = 65_536
}
