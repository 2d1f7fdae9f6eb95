// SPDX-License-Identifier: MIT
import GPSFiles
import GPSIO

/// Stores bytes in compressed blocks. After each write, the file ends with the closing text of the
/// recording and the end of a compressed frame, so it is complete. The next block overwrites this
/// end.
final class CompressedCoding: RecordCoding {
    /// How long bytes are gathered, because small blocks compress badly. A crash may lose the bytes
    /// of this period.
    let gatheringTime = Duration.milliseconds(700)

    /// The maximum size of a frame in bytes. It is limited because the last frame must be read
    /// again when a file is continued.
    private static let maximumFrameSize = 4 << 20

    private let format: CompressionFormat
    /// The frame to which blocks are appended; `nil` if the next bytes begin a new frame.
    private var frame: (any CompressedFrame)?
    /// The end of the previous frame, to be written before the next bytes; `nil` if there is none.
    private var openEnd: FrameEnd?
    /// The content to store again with the next bytes, because it was cut off with the end of the
    /// last frame when the file was resumed.
    private var carried: [UInt8] = []

    init(_ format: CompressionFormat) {
        self.format = format
    }

    func resume(
        _ file: FileBytes, _ prepare: (_ head: [UInt8], _ end: [UInt8]) -> Int?
    ) throws -> RecordEnding? {
        guard format.isHead(file.read(0, 4)) else { return nil }
        let ending: CompressedEnding
        do {
            ending = try format.ending(
                size: file.size, headCount: RecordParts.head, read: file.read)
        } catch {
            throw RecordFile.Failure.foreign(
                file.path, "it exists and cannot be decompressed: \(error)")
        }
        let end = Array(ending.tail.suffix(RecordParts.end))
        guard let kept = prepare(ending.head, end) else { return nil }
        let rest = Array(end.dropFirst(kept))
        guard let cut = ending.cut(dropping: rest.count) else {
            throw RecordFile.Failure.foreign(
                file.path, "it was compressed by another program: decompress it first")
        }
        (frame, openEnd, carried) = (nil, cut.end, cut.carried)
        return RecordEnding(kept: cut.offset, rest: rest, isTorn: ending.isTorn)
    }

    func begin() {
        (frame, openEnd, carried) = (nil, nil, [])
    }

    func encoded(_ bytes: [UInt8]) throws -> [UInt8] {
        var result: [UInt8] = []
        if let frame, frame.size > Self.maximumFrameSize {
            (openEnd, self.frame) = (frame.end, nil)
        }
        if frame == nil, let end = openEnd {
            result += end.bytes()
            openEnd = nil
        }
        let all = carried + bytes
        guard !all.isEmpty else { return result }
        let open = try frame ?? format.makeFrame()
        result += try open.append(all)
        (frame, carried) = (open, [])
        return result
    }

    func closing(_ bytes: [UInt8]) -> [UInt8] {
        if let end = frame?.end ?? openEnd { return end.bytes(with: bytes) }
        return bytes.isEmpty ? [] : format.whole(bytes)
    }
}

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
private enum RecordParts {
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
