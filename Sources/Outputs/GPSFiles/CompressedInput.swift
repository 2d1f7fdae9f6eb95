// SPDX-License-Identifier: MIT
import CGPSZstd

/// Decompresses a stream if it begins with the magic number of zstd, gzip or zip, of which it reads
/// the KML, and otherwise passes it through.
package struct CompressedInput {
    private enum Kind {
        case unknown
        case plain
        case compressed(any Decompressor)
    }

    /// The maximum number of compressed bytes that are decompressed at once. It is small, because
    /// an error loses all content of these bytes.
    private static let maximumPieceSize = 512

    private var kind = Kind.unknown
    private var pending: ArraySlice<UInt8> = []

    /// Whether `end()` has been called.
    package private(set) var isOver = false
    /// Whether `push` or `end` must be called before `take` can return more output.
    package private(set) var needsInput = true

    /// Creates a stream without input.
    package init() {}

    /// Returns whether bytes begin with the magic number of zstd, gzip or zip.
    package static func isCompressed(_ head: some Collection<UInt8>) -> Bool {
        CompressionFormat(head: head) != nil || ZipDecompressor.isZip(head)
    }

    /// Whether the stream is not compressed and `take` has returned all input, so that the caller
    /// may bypass this object for further input.
    package var isPassedThrough: Bool {
        if case .plain = kind { pending.isEmpty } else { false }
    }

    /// Whether the input has ended inside a zstd frame or gzip member.
    package var isCutOff: Bool {
        switch kind {
        case .unknown, .plain: false
        case .compressed(let decompressor): isOver && decompressor.isInFrame
        }
    }

    /// Adds input.
    package mutating func push(_ bytes: ArraySlice<UInt8>) {
        if pending.isEmpty { pending = bytes } else { pending += bytes }
        needsInput = false
    }

    /// Marks the end of the input.
    package mutating func end() {
        isOver = true
        needsInput = false
    }

    /// Writes output to the beginning of `room`, keeping its size. Returns the number of bytes
    /// written; 0 at the end or if more input is needed. Throws an error if the input is damaged.
    package mutating func take(into room: inout [UInt8]) throws(CompressionError) -> Int {
        if case .unknown = kind {
            guard pending.count >= 4 || isOver else {
                needsInput = true
                return 0
            }
            if ZipDecompressor.isZip(pending) {
                kind = .compressed(ZipDecompressor())
            } else {
                let format = CompressionFormat(head: pending)
                kind = if let format { .compressed(try format.makeDecompressor()) } else { .plain }
            }
        }
        let count: Int
        switch kind {
        case .compressed(let decompressor): count = try step(decompressor, into: &room)
        case .plain, .unknown:
            count = min(room.count, pending.count)
            room.replaceSubrange(0..<count, with: pending.prefix(count))
            pending = pending.dropFirst(count)
        }
        // If `room` is full, there may be more output without further input.
        needsInput = !isOver && pending.isEmpty && count < room.count
        return count
    }

    private mutating func step(
        _ decompressor: any Decompressor, into room: inout [UInt8]
    ) throws(CompressionError) -> Int {
        // Repeat while input is consumed without output, as for a header.
        while true {
            let (consumed, produced) = try decompressor.step(
                pending.prefix(Self.maximumPieceSize), into: &room)
            pending = pending.dropFirst(consumed)
            guard produced == 0, consumed > 0, !pending.isEmpty else { return produced }
        }
    }
}

extension CompressedInput {
    /// Decompresses the first bytes of a file. Returns at most 64 KiB. If the bytes are not
    /// compressed or are damaged, returns them unchanged.
    package static func beginning(of head: some Collection<UInt8>) -> [UInt8] {
        var input = CompressedInput()
        input.push(Array(head)[...])
        var room = [UInt8](repeating: 0, count: 65_536)
        // Reading the whole file will report the error.
        guard let count = try? input.take(into: &room) else { return Array(head) }
        return Array(room.prefix(count))
    }

    /// Returns the decompressed content of `bytes`, or the bytes themselves if they are not
    /// compressed. Throws an error if they are damaged or decompress to more than `limit` bytes.
    package static func decompressed(
        _ bytes: [UInt8], limit: Int = .max
    ) throws(CompressionError) -> [UInt8] {
        guard let format = CompressionFormat(head: bytes) else { return bytes }
        return try format.makeDecompressor().all(bytes[...], limit: limit)
    }
}

/// Writes a zstd frame or a gzip member. It consists of complete blocks, and can be ended after
/// each of them. A file may contain several frames.
package protocol CompressedFrame: AnyObject {
    /// The compressed size in bytes so far, without the bytes that end the frame.
    var size: Int { get }

    /// Compresses bytes and returns complete blocks. The first call also returns the header.
    func append(_ bytes: [UInt8]) throws(CompressionError) -> [UInt8]

    /// The information needed to end the frame after the blocks appended so far.
    var end: FrameEnd { get }
}

/// The information needed to end a frame after its blocks.
package enum FrameEnd: Equatable, Sendable {
    /// A zstd frame, which ends with a last block.
    case zstd
    /// A gzip member, which ends with a last block, a checksum and a length. The associated trailer
    /// has the checksum and length of the content so far.
    case gzip(GzipTrailer)

    /// Returns the bytes that end the frame, and stores `last` in them as uncompressed content.
    package func bytes(with last: [UInt8] = []) -> [UInt8] {
        switch self {
        case .zstd: ZstdFrame.end(last)
        case .gzip(let trailer): trailer.end(with: last)
        }
    }
}

/// The point at which to cut a compressed file in order to append to it.
package struct CompressedCut: Equatable {
    /// The offset in the compressed file. The bytes after it must be removed.
    package let offset: Int
    /// The content after the offset that is kept, decompressed. It must be compressed and written
    /// again.
    package let carried: [UInt8]
    /// The information needed to end the frame that is open at this point; `nil` between frames.
    package let end: FrameEnd?
}

extension CompressionFormat {
    /// Detects the format of a file by its first bytes. Returns `nil` for any other format.
    package init?(head: some Collection<UInt8>) {
        if ZstdDecompressor.isZstd(head) {
            self = .zstd
        } else if GzipDecompressor.isGzip(head) {
            self = .gzip
        } else {
            return nil
        }
    }

    /// Creates a decompressor; throws if out of memory.
    func makeDecompressor() throws(CompressionError) -> any Decompressor {
        switch self {
        case .zstd: try ZstdDecompressor()
        case .gzip: try GzipDecompressor()
        }
    }

    /// Creates a frame; throws if out of memory.
    package func makeFrame() throws(CompressionError) -> any CompressedFrame {
        switch self {
        case .zstd: try ZstdFrame()
        case .gzip: try GzipMember()
        }
    }

    /// Returns a complete frame that stores `bytes` uncompressed.
    package func whole(_ bytes: [UInt8]) -> [UInt8] {
        switch self {
        case .zstd: ZstdFrame.whole(bytes)
        case .gzip: GzipMember.whole(bytes)
        }
    }

    /// Returns whether `head`, the first bytes of a file, begins with this format's magic number.
    /// If `head` is too short for that, returns whether it is the beginning of a frame.
    package func isHead(_ head: [UInt8]) -> Bool {
        CompressionFormat(head: head) == self || whole([]).starts(with: head)
    }

    /// Examines the beginning and end of a file of `size` bytes. `read` returns a range of the
    /// file. `headCount` is the maximum size of the returned `head`. Throws an error if the first
    /// block cannot be decompressed.
    package func ending(
        size: Int, headCount: Int, read: (_ offset: Int, _ count: Int) -> [UInt8]
    ) throws(CompressionError) -> CompressedEnding {
        switch self {
        case .zstd: try CompressedEnding(zstd: size, headCount: headCount, read: read)
        case .gzip: try CompressedEnding(gzip: size, headCount: headCount, read: read)
        }
    }
}

/// The content at the beginning and end of a compressed file, and the points at which the file can
/// be cut so that data can be appended.
package struct CompressedEnding {
    /// A point between compressed blocks: its offsets in the file and in the decompressed content.
    struct Boundary {
        let offset: Int
        let content: Int
        /// The information needed to end the frame that is open at this point; `nil` between
        /// frames.
        let end: FrameEnd?
        /// Whether the file can be cut here. It cannot be cut inside a frame with a size or a
        /// checksum, as other programs write.
        let canBeCut: Bool
    }

    /// The minimum size of `tail` in bytes, unless the whole content is shorter. It is larger than
    /// a block, and larger than the part of the content that is needed to continue the file.
    static let minimumTailSize = 1 << 18

    /// The beginning of the decompressed content, at most `headCount` bytes.
    package internal(set) var head: [UInt8] = []
    /// The end of the decompressed content, as far as it is not damaged: at least the last 256 KiB,
    /// or all of it if there is less.
    package private(set) var tail: [UInt8] = []
    /// Whether the file ends with an incomplete or damaged frame.
    package internal(set) var isTorn = false

    /// The offset of `tail` in the decompressed content of the frames that were read.
    private(set) var tailStart = 0
    private(set) var boundaries: [Boundary] = []

    /// The size in bytes of the decompressed content of the frames that were read.
    var contentSize: Int { tailStart + tail.count }

    /// Appends decompressed content to the tail.
    mutating func append(_ content: some Collection<UInt8>) {
        tail += content
        guard tail.count > 2 * Self.minimumTailSize else { return }
        tailStart += tail.count - Self.minimumTailSize
        tail.removeFirst(tail.count - Self.minimumTailSize)
        boundaries.removeAll { $0.content < tailStart }
    }

    /// Adds a point between blocks, after the content so far. `offset` is its offset in the
    /// compressed file.
    mutating func addBoundary(at offset: Int, _ end: FrameEnd? = nil, canBeCut: Bool = true) {
        // A file may have any number of empty blocks, so keep only the last boundary at one offset
        // of the content.
        if boundaries.last?.content == contentSize { boundaries.removeLast() }
        boundaries.append(
            Boundary(offset: offset, content: contentSize, end: end, canBeCut: canBeCut))
    }

    /// Drops the content after the last point between blocks, which may be damaged.
    mutating func dropIncompleteBlock() {
        guard let last = boundaries.last else { return }
        tail.removeLast(max(0, min(tail.count, contentSize - last.content)))
    }

    /// Drops the tail and the points between blocks.
    mutating func removeTail() {
        (tail, boundaries, tailStart) = ([], [], 0)
    }

    /// Returns the point at which to cut the file in order to continue it without the last `count`
    /// bytes of its content. Returns `nil` if the file cannot be cut there, for example inside a
    /// frame with a size or a checksum.
    package func cut(dropping count: Int) -> CompressedCut? {
        let end = contentSize - count
        guard let last = boundaries.last(where: { $0.content <= end }), last.canBeCut else {
            return nil
        }
        let carried = tail.dropLast(count).suffix(end - last.content)
        return CompressedCut(offset: last.offset, carried: Array(carried), end: last.end)
    }
}

/// A failure to compress or decompress data.
package struct CompressionError: Error, CustomStringConvertible {
    /// The message of zlib, libzstd or this module.
    package let description: String
    /// Whether the data is intact, but of a kind that is not read.
    package private(set) var isUnsupported = false

    init(_ description: String) {
        self.description = description
    }

    /// Creates the error for intact data of a kind that is not read.
    init(unsupported description: String) {
        (self.description, isUnsupported) = (description, true)
    }

    /// Creates the error for a result of libzstd; `nil` if the result is not an error.
    ///
    /// The corresponding C functions are `ZSTD_isError` and `ZSTD_getErrorName`.
    init?(_ result: Int) {
        guard ZSTD_isError(result) != 0 else { return nil }
        description = ZSTD_getErrorName(result).map { String(cString: $0) } ?? "unknown"
    }
}

/// A format of compressed files. The raw value is its file extension without a dot.
package enum CompressionFormat: String, CaseIterable, Sendable {
    case gzip = "gz"
    case zstd = "zst"

    /// The file extension with its dot.
    package var fileEnding: String { ".\(rawValue)" }

    /// Finds the format by the extension of a path, ignoring case. Returns `nil` for any other
    /// extension.
    package init?(path: String) {
        let name = path.lowercased()
        guard let format = Self.allCases.first(where: { name.hasSuffix($0.fileEnding) }) else {
            return nil
        }
        self = format
    }

    /// Returns a path without `.gz` or `.zst`; any other path is returned unchanged.
    package static func plainName(_ path: String) -> String {
        String(path.dropLast(CompressionFormat(path: path)?.fileEnding.count ?? 0))
    }
}

/// Decompresses a stream of zstd or gzip in bounded memory.
package protocol Decompressor: AnyObject {
    /// Whether the input so far ends inside a zstd frame or gzip member.
    var isInFrame: Bool { get }

    /// Decompresses input until `bytes` is consumed or `room` is full.
    ///
    /// Returns the numbers of bytes consumed and produced. If both are 0, more input is needed.
    /// Throws an error if the input is damaged.
    func step(
        _ bytes: ArraySlice<UInt8>, into room: inout [UInt8]
    ) throws(CompressionError) -> (consumed: Int, produced: Int)
}

extension Decompressor {
    /// Decompresses all of `bytes`, which may end inside a frame.
    ///
    /// Throws an error if the bytes are damaged or decompress to more than `limit` bytes. Use a
    /// limit for bytes from a network, because a few bytes may decompress to a gigabyte.
    package func all(
        _ bytes: ArraySlice<UInt8>, limit: Int = .max
    ) throws(CompressionError) -> [UInt8] {
        var result: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 1 << 17)
        var rest = bytes
        while true {
            let (consumed, produced) = try step(rest, into: &room)
            rest = rest.dropFirst(consumed)
            result += room.prefix(produced)
            guard result.count <= limit else {
                throw CompressionError("the content is larger than \(limit) bytes")
            }
            guard consumed > 0 || produced == room.count else { return result }
        }
    }
}
