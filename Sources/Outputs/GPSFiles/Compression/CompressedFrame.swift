// SPDX-License-Identifier: MIT

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
