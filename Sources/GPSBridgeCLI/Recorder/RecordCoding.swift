// SPDX-License-Identifier: MIT
import Glibc

/// How what is recorded stands in its file: as it is, or compressed.
protocol RecordCoding: AnyObject {
    /// Finds out where an existing file continues. `turn` is given the first and the last bytes of its content,
    /// and returns how many of the last ones are kept.
    ///
    /// Returns `nil` if it is no such recording; throws a `RecordFile.Failure`.
    func resume(_ file: FileBytes, _ turn: (_ head: [UInt8], _ end: [UInt8]) -> Int?) throws
        -> RecordEnding?

    /// Begins with an empty file.
    func begin() throws

    /// Encodes some bytes; the result may be incomplete without what closes it.
    func encoded(_ bytes: [UInt8]) throws -> [UInt8]

    /// Encodes some last bytes and the end that makes the file complete.
    func closing(_ bytes: [UInt8]) -> [UInt8]

    /// The maximum time for which bytes are collected before they are encoded; larger blocks compress better.
    var gatheringTime: Duration { get }
}

/// The point where an existing recording continues.
struct RecordEnding {
    /// The number of bytes of the file that are kept.
    let kept: Int
    /// The content after that.
    let rest: [UInt8]
    /// Whether its end was cut off.
    let isTorn: Bool
}

/// A file's bytes, wherever one wants to look.
struct FileBytes {
    let descriptor: CInt
    let path: String
    let size: Int

    /// As many bytes as there are.
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

/// The part of a file that `OutputFormat.resume` examines.
enum RecordParts {
    static let head = 4096
    static let end = 65_536
}
