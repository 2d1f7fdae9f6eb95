// SPDX-License-Identifier: MIT
import GPSIO

/// How the content of a recording is stored in its file: plain or compressed.
protocol RecordCoding: AnyObject {
    /// Determines where to continue an existing file. `prepare` receives the first and the last
    /// bytes of the content. It returns how many of the last bytes to keep, or `nil` for other
    /// content.
    ///
    /// Returns `nil` if the file is not a recording with this encoding and content.
    ///
    /// - Throws: `RecordFile.Failure` if the file cannot be continued.
    func resume(_ file: FileBytes, _ prepare: (_ head: [UInt8], _ end: [UInt8]) -> Int?) throws
        -> RecordEnding?

    /// Prepares for an empty file.
    func begin() throws

    /// Encodes bytes. The file is only complete if the result of `closing` follows.
    func encoded(_ bytes: [UInt8]) throws -> [UInt8]

    /// Encodes the content's closing text, with the bytes that complete the file.
    func closing(_ bytes: [UInt8]) -> [UInt8]

    /// How long bytes may be gathered before they are encoded. Larger blocks compress better.
    var gatheringTime: Duration { get }
}

/// Where an existing recording is continued.
struct RecordEnding {
    /// The number of bytes of the file that are kept unchanged.
    let kept: Int
    /// The content after the kept bytes, which is overwritten.
    let rest: [UInt8]
    /// Whether the file was truncated or not closed correctly.
    let isTorn: Bool
}

/// Provides random access to the bytes of a file.
struct FileBytes {
    let descriptor: CInt
    let path: String
    let size: Int

    /// Reads up to `count` bytes at an offset.
    func read(_ offset: Int, _ count: Int) -> [UInt8] {
        RegularFile.read(descriptor, at: offset, min(count, max(0, size - offset))).bytes
    }
}

/// The number of bytes at the start and at the end of the content that `OutputFormat.resume`
/// examines.
enum RecordParts {
    static let head = 4096
    static let end = 65_536
}

/// Stores bytes unchanged.
final class PlainCoding: RecordCoding {
    let gatheringTime = Duration.zero

    func resume(
        _ file: FileBytes, _ prepare: (_ head: [UInt8], _ end: [UInt8]) -> Int?
    ) -> RecordEnding? {
        let end = file.read(max(0, file.size - RecordParts.end), RecordParts.end)
        guard let kept = prepare(file.read(0, RecordParts.head), end) else { return nil }
        let rest = Array(end.dropFirst(kept))
        return RecordEnding(kept: file.size - rest.count, rest: rest, isTorn: false)
    }

    func begin() {}

    func encoded(_ bytes: [UInt8]) -> [UInt8] { bytes }

    func closing(_ bytes: [UInt8]) -> [UInt8] { bytes }
}
