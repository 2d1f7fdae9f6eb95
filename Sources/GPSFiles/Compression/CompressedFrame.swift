// SPDX-License-Identifier: MIT

/// Compressed data that grows by whole blocks, and can be ended after each of them: a frame of zstd, or a
/// member of a gzip file. Several behind one another are one file.
package protocol CompressedFrame: AnyObject {
    /// Its size in bytes, without its end.
    var size: Int { get }

    /// Compresses bytes into blocks, the header before the first.
    func append(_ bytes: [UInt8]) throws(CompressionError) -> [UInt8]

    /// How it ends after what has been appended.
    var end: FrameEnd { get }
}

/// The end of a frame, behind its blocks.
package enum FrameEnd: Equatable, Sendable {
    /// The last block of a zstd frame.
    case zstd
    /// The last block of a gzip member, behind content of that checksum and length.
    case gzip(GzipTrailer)

    /// The bytes of the end; it may contain some more content, uncompressed.
    package func bytes(with last: [UInt8] = []) -> [UInt8] {
        switch self {
        case .zstd: ZstdFrame.end(last)
        case .gzip(let trailer): trailer.end(with: last)
        }
    }
}

/// The place where a compressed file continues.
package struct CompressedCut: Equatable {
    /// Where in the file.
    package let place: Int
    /// Content of the cut block that has to be written again.
    package let carried: [UInt8]
    /// How the frame ends that is open there; `nil` between frames.
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

    /// Where to continue so that all but the last bytes of the tail are kept; `nil` if the file, which
    /// another program has compressed, can't be cut there.
    func cut(dropping count: Int) -> CompressedCut?
}

extension CompressionFormat {
    /// The format of a file that begins so; `nil` for any other.
    package init?(head: some Collection<UInt8>) {
        if ZstdDecompressor.isZstd(head) {
            self = .zstd
        } else if GzipDecompressor.isGzip(head) {
            self = .gzip
        } else {
            return nil
        }
    }

    /// Creates a decompressor; throws without memory.
    func makeDecompressor() throws(CompressionError) -> any Decompressor {
        switch self {
        case .zstd: try ZstdDecompressor()
        case .gzip: try GzipDecompressor()
        }
    }

    /// Creates a frame; throws without memory.
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

    /// Whether a file that begins so is of this format; a shorter one may be the beginning of a frame.
    package func isHead(_ head: [UInt8]) -> Bool {
        CompressionFormat(head: head) == self || whole([]).starts(with: head)
    }

    /// Examines a file of that size, which `read` gives access to; throws where its first block cannot be
    /// decompressed.
    package func ending(
        size: Int, headCount: Int, read: (_ offset: Int, _ count: Int) -> [UInt8]
    ) throws(CompressionError) -> any CompressedEnding {
        switch self {
        case .zstd: try ZstdEnding(size: size, headCount: headCount, read: read)
        case .gzip: try GzipEnding(size: size, headCount: headCount, read: read)
        }
    }
}
