// SPDX-License-Identifier: MIT

/// Compressed data that grows by complete blocks and can be ended after each of them: a zstd frame or a
/// member of a gzip file. A file may consist of several.
package protocol CompressedFrame: AnyObject {
    /// The size in bytes, without the end.
    var size: Int { get }

    /// Compresses bytes into blocks; the first call also returns the header.
    func append(_ bytes: [UInt8]) throws(CompressionError) -> [UInt8]

    /// The end of the frame after the appended blocks.
    var end: FrameEnd { get }
}

/// The end of a frame, after its blocks.
package enum FrameEnd: Equatable, Sendable {
    /// The last block of a zstd frame.
    case zstd
    /// The last block of a gzip member, with the checksum and length of the content before it.
    case gzip(GzipTrailer)

    /// Returns the bytes of the end; `last` is included uncompressed.
    package func bytes(with last: [UInt8] = []) -> [UInt8] {
        switch self {
        case .zstd: ZstdFrame.end(last)
        case .gzip(let trailer): trailer.end(with: last)
        }
    }
}

/// The point at which a compressed file continues.
package struct CompressedCut: Equatable {
    /// The offset in the file.
    package let place: Int
    /// The content of the cut block, which has to be written again.
    package let carried: [UInt8]
    /// The end of the frame that is open there; `nil` between frames.
    package let end: FrameEnd?
}

/// The content of a compressed file's beginning and end, so that the file can be continued.
package protocol CompressedEnding {
    /// The beginning of the content.
    var head: [UInt8] { get }
    /// The end of the content.
    var tail: [UInt8] { get }
    /// Whether the file ends with an incomplete frame.
    var isTorn: Bool { get }

    /// Returns the point from which to continue so that the content without its last `count` bytes is kept;
    /// `nil` if the file, compressed by another program, cannot be cut there.
    func cut(dropping count: Int) -> CompressedCut?
}

extension CompressionFormat {
    /// Detects the format of a file by its first bytes; `nil` for any other.
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

    /// Returns a complete frame of uncompressed bytes.
    package func whole(_ bytes: [UInt8]) -> [UInt8] {
        switch self {
        case .zstd: ZstdFrame.whole(bytes)
        case .gzip: GzipMember.whole(bytes)
        }
    }

    /// Whether a file with these first bytes is of this format; fewer than four may begin a frame.
    package func isHead(_ head: [UInt8]) -> Bool {
        CompressionFormat(head: head) == self || whole([]).starts(with: head)
    }

    /// Examines the end of a file of `size` bytes, which `read` returns in parts; throws if its first block
    /// cannot be decompressed.
    package func ending(
        size: Int, headCount: Int, read: (_ offset: Int, _ count: Int) -> [UInt8]
    ) throws(CompressionError) -> any CompressedEnding {
        switch self {
        case .zstd: try ZstdEnding(size: size, headCount: headCount, read: read)
        case .gzip: try GzipEnding(size: size, headCount: headCount, read: read)
        }
    }
}
