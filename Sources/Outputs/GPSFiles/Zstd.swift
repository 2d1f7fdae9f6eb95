// SPDX-License-Identifier: MIT
import CGPSZstd
import GNSS

/// Decompresses a zstd stream in bounded memory.
package final class ZstdDecompressor: Decompressor {
    private let context: OpaquePointer
    /// Whether the input so far ends inside a frame.
    package private(set) var isInFrame = false

    /// Creates a decompressor; throws if out of memory.
    package init() throws(CompressionError) {
        guard let context = ZSTD_createDCtx() else { throw CompressionError("out of memory") }
        self.context = context
    }

    deinit { ZSTD_freeDCtx(context) }

    /// Returns whether bytes begin with the magic number of a zstd frame or of a skippable frame.
    package static func isZstd(_ bytes: some Collection<UInt8>) -> Bool {
        let head = Array(bytes.prefix(4))
        // A skippable frame begins with 0x184D2A50 to 0x184D2A5F, little-endian.
        return head == [0x28, 0xB5, 0x2F, 0xFD]
            || head.count == 4 && head[0] & 0xF0 == 0x50
                && head.dropFirst().elementsEqual([0x2A, 0x4D, 0x18])
    }

    /// Decompresses input until `bytes` is consumed or `room` is full. The corresponding C function
    /// is `ZSTD_decompressStream`.
    package func step(
        _ bytes: ArraySlice<UInt8>, into room: inout [UInt8]
    ) throws(CompressionError) -> (consumed: Int, produced: Int) {
        let (consumed, produced, status) = bytes.withUnsafeBytes { bytes in
            room.withUnsafeMutableBytes { room in
                var input = ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: 0)
                var output = ZSTD_outBuffer(dst: room.baseAddress, size: room.count, pos: 0)
                let status = ZSTD_decompressStream(context, &output, &input)
                return (input.pos, output.pos, status)
            }
        }
        if let error = CompressionError(status) { throw error }
        if consumed > 0 || produced > 0 { isInFrame = status != 0 }
        return (consumed, produced)
    }
}

extension CompressedEnding {
    /// Examines a zstd file of `size` bytes. `read` returns a range of the file. `headCount` is the
    /// maximum size of `head`. Throws an error if the first block cannot be decompressed, for
    /// example because it needs a dictionary.
    init(
        zstd size: Int, headCount: Int, read: (_ offset: Int, _ count: Int) -> [UInt8]
    ) throws(CompressionError) {
        self.init()
        let layout = ZstdLayout(size: size, read: read)
        isTorn = layout.isTorn
        for frame in layout.frames where head.count < headCount {
            do {
                head += try Self.beginning(frame, headCount - head.count, read)
            } catch {
                // Skip a damaged frame unless it is the first. `append(frame)` handles its effect
                // on the tail.
                if frame.start == layout.frames.first?.start { throw error }
            }
        }
        // Decompress the last frame, then the last two, four and so on, until there is enough
        // content.
        var count = 1
        while true {
            removeTail()
            for (index, frame) in layout.frames.enumerated().suffix(count) {
                try append(frame, read, isLast: index == layout.frames.count - 1)
            }
            if tailStart > 0 || tail.count >= Self.minimumTailSize || count >= layout.frames.count {
                break
            }
            count *= 2
        }
        if boundaries.isEmpty { addBoundary(at: 0) }
    }

    private static func beginning(
        _ frame: ZstdLayout.Frame, _ count: Int, _ read: (_ offset: Int, _ count: Int) -> [UInt8]
    ) throws(CompressionError) -> [UInt8] {
        let decompressor = try ZstdDecompressor()
        var head: [UInt8] = []
        for (start, end) in zip([frame.start] + frame.ends, frame.ends) where head.count < count {
            do {
                head += try decompressor.all(read(start, end - start)[...])
            } catch {
                if head.isEmpty { throw error }
                break
            }
        }
        return Array(head.prefix(count))
    }

    /// Adds the content of a frame. If the last frame is damaged, its valid blocks are kept. Any
    /// other damaged frame is dropped, together with everything before it.
    private mutating func append(
        _ frame: ZstdLayout.Frame, _ read: (_ offset: Int, _ count: Int) -> [UInt8], isLast: Bool
    ) throws(CompressionError) {
        let decompressor = try ZstdDecompressor()
        if boundaries.isEmpty { addBoundary(at: frame.start) }
        for (start, end) in zip([frame.start] + frame.ends, frame.ends) {
            do {
                try append(decompressor.all(read(start, end - start)[...]))
            } catch {
                isTorn = isTorn || isLast
                if !isLast { removeTail() }
                return
            }
            // The first range is the frame's header, which contains no block.
            guard start > frame.start else { continue }
            let isInFrame = !(frame.isWhole && end == frame.ends.last)
            addBoundary(
                at: end, isInFrame ? .zstd : nil, canBeCut: !isInFrame || frame.canBeCut)
        }
    }
}

/// Writes a zstd frame of complete blocks, which can be ended after each of them.
///
/// The frame has no checksum and no size, so an empty last block completes it. The caller can write
/// a last block after every block, and overwrite it with the next one.
package final class ZstdFrame: CompressedFrame {
    /// The base-2 logarithm of the window for matches: 2^18 bytes. The window covers more than half
    /// a minute of similar sentences at 1 Hz.
    private static let windowLog: CInt = 18
    private static let level: CInt = 6
    /// The maximum size of a block (RFC 8878).
    private static let maximumBlockSize = 1 << 17

    private let context: OpaquePointer
    /// The compressed size in bytes so far, without the last block, which ends the frame.
    package private(set) var size = 0

    /// Creates a frame; throws if out of memory.
    package init() throws(CompressionError) {
        guard let context = ZSTD_createCCtx() else { throw CompressionError("out of memory") }
        self.context = context
        for (parameter, value) in [
            (ZSTD_c_compressionLevel, Self.level), (ZSTD_c_windowLog, Self.windowLog),
            (ZSTD_c_checksumFlag, 0), (ZSTD_c_contentSizeFlag, 0),
        ] {
            // The values are valid, so this cannot fail.
            ZSTD_CCtx_setParameter(context, parameter, value)
        }
    }

    deinit { ZSTD_freeCCtx(context) }

    /// Compresses bytes into blocks; the first call also returns the frame's header.
    ///
    /// The corresponding C function is `ZSTD_compressStream2` with `ZSTD_e_flush`.
    package func append(_ bytes: [UInt8]) throws(CompressionError) -> [UInt8] {
        guard !bytes.isEmpty else { return [] }
        var result: [UInt8] = []
        var room = [UInt8](repeating: 0, count: ZSTD_compressBound(bytes.count) + 64)
        var start = 0
        var rest = 1
        while rest > 0 || start < bytes.count {
            let (end, produced, status) = bytes.withUnsafeBytes { bytes in
                room.withUnsafeMutableBytes { room in
                    var input = ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: start)
                    var output = ZSTD_outBuffer(dst: room.baseAddress, size: room.count, pos: 0)
                    let status = ZSTD_compressStream2(context, &output, &input, ZSTD_e_flush)
                    return (input.pos, output.pos, status)
                }
            }
            if let error = CompressionError(status) { throw error }
            start = end
            result += room.prefix(produced)
            rest = status
        }
        size += result.count
        return result
    }

    package var end: FrameEnd { .zstd }

    /// Returns the bytes that end a frame: one or more blocks that store `bytes` uncompressed.
    package static func end(_ bytes: [UInt8] = []) -> [UInt8] {
        var result: [UInt8] = []
        var start = 0
        repeat {
            let end = min(bytes.count, start + maximumBlockSize)
            // The block header: bit 0 is 1 for the last block; bits 1 and 2 are the type, 0 for
            // uncompressed; then the length.
            let head = (end - start) << 3 | (end == bytes.count ? 1 : 0)
            result += [
                UInt8(truncatingIfNeeded: head), UInt8(truncatingIfNeeded: head >> 8),
                UInt8(truncatingIfNeeded: head >> 16),
            ]
            result += bytes[start..<end]
            start = end
        } while start < bytes.count
        return result
    }

    /// Returns a complete frame that stores `bytes` uncompressed.
    package static func whole(_ bytes: [UInt8]) -> [UInt8] {
        // The magic number; no checksum, no size; a window of 2^17 bytes.
        [0x28, 0xB5, 0x2F, 0xFD, 0x00, 7 << 3] + end(bytes)
    }
}

/// The offsets of a zstd file's complete frames and blocks.
///
/// They are found from the headers of frames and blocks, without decompressing.
private struct ZstdLayout {
    /// The offsets of one frame.
    struct Frame {
        /// The offset of the frame's magic number.
        let start: Int
        /// The offset at which the header ends, and the offsets at which complete blocks end.
        fileprivate(set) var ends: [Int]
        /// Whether the file contains the last block of the frame.
        fileprivate(set) var isWhole = false
        /// Whether the frame may be cut after any block, because it has neither a size nor a
        /// checksum.
        let canBeCut: Bool
    }

    /// The frames in the order of the file, without skippable frames. The last one may be
    /// incomplete.
    private(set) var frames: [Frame] = []
    /// Whether the file ends with an incomplete frame or with bytes that are not zstd.
    private(set) var isTorn = false

    /// Examines a file of `size` bytes. `read` returns a range of the file, which may be shorter at
    /// the end.
    init(size: Int, read: (_ offset: Int, _ count: Int) -> [UInt8]) {
        var offset = 0
        while offset < size {
            let head = read(offset, 18)
            if head.count >= 8, ZstdDecompressor.isZstd(head), head[0] & 0xF0 == 0x50 {
                offset += 8 + Self.number(head[4..<8])
                isTorn = offset > size
            } else if let (count, hasChecksum, canBeCut) = Self.frameHead(head) {
                var frame = Frame(start: offset, ends: [offset + count], canBeCut: canBeCut)
                frame.addBlocks(size: size, checksum: hasChecksum ? 4 : 0, read)
                frames.append(frame)
                offset = frame.ends.last ?? size
                isTorn = !frame.isWhole
            } else {
                isTorn = true
            }
            if isTorn { return }
        }
    }

    /// Parses a frame's header. Returns its length in bytes, whether the frame ends with a
    /// checksum, and whether it has neither a checksum nor a size. Returns `nil` if it is not a
    /// complete header.
    private static func frameHead(
        _ head: [UInt8]
    ) -> (count: Int, hasChecksum: Bool, canBeCut: Bool)? {
        guard head.count > 5, ZstdDecompressor.isZstd(head), head[0] == 0x28 else { return nil }
        let descriptor = Int(head[4])
        let isSingle = descriptor & 0x20 != 0
        let dictionary = [0, 1, 2, 4][descriptor & 3]
        let size = [isSingle ? 1 : 0, 2, 4, 8][descriptor >> 6]
        let count = 5 + (isSingle ? 0 : 1) + dictionary + size
        let hasChecksum = descriptor & 4 != 0
        guard head.count >= count else { return nil }
        return (count, hasChecksum, size == 0 && !hasChecksum)
    }

    fileprivate static func number(_ bytes: ArraySlice<UInt8>) -> Int {
        Int(littleEndianBytes: bytes)
    }
}

extension ZstdLayout.Frame {
    fileprivate mutating func addBlocks(
        size: Int, checksum: Int, _ read: (_ offset: Int, _ count: Int) -> [UInt8]
    ) {
        var window: (start: Int, bytes: [UInt8]) = (0, [])
        while let end = ends.last, end + 3 <= size {
            if end < window.start || end + 3 > window.start + window.bytes.count {
                window = (end, read(end, 1 << 16))
            }
            let offset = end - window.start
            guard offset + 3 <= window.bytes.count else { return }
            let head = ZstdLayout.number(window.bytes[offset..<offset + 3])
            let (isLast, kind, count) = (head & 1 != 0, head >> 1 & 3, head >> 3)
            // After a loss of power, a file may end with zeros.
            guard kind != 3, head != 0 else { return }
            let next = end + 3 + (kind == 1 ? 1 : count) + (isLast ? checksum : 0)
            guard next <= size else { return }
            ends.append(next)
            isWhole = isLast
            if isLast { return }
        }
    }
}

/// Compresses short messages, each into its own zstd frame.
package enum ZstdMessage {
    /// Compresses bytes into a complete frame.
    ///
    /// Throws an error if out of memory. The corresponding C function is `ZSTD_compress`.
    package static func compress(
        _ bytes: Span<UInt8>, level: CInt = 3
    ) throws(CompressionError) -> [UInt8] {
        var room = [UInt8](repeating: 0, count: ZSTD_compressBound(bytes.count))
        let size = bytes.withUnsafeBytes { bytes in
            room.withUnsafeMutableBytes { room in
                ZSTD_compress(room.baseAddress, room.count, bytes.baseAddress, bytes.count, level)
            }
        }
        if let error = CompressionError(size) { throw error }
        return Array(room.prefix(size))
    }

    /// Decompresses a complete frame.
    ///
    /// Throws an error if the frame is incomplete or damaged, or if its content is larger than
    /// `limit` bytes.
    package static func decompress(
        _ message: ArraySlice<UInt8>, limit: Int
    ) throws(CompressionError) -> [UInt8] {
        let decompressor = try ZstdDecompressor()
        let result = try decompressor.all(message, limit: limit)
        guard !decompressor.isInFrame else { throw CompressionError("it is cut off") }
        return result
    }
}
