// SPDX-License-Identifier: MIT
import GNSS

/// The offsets of a zstd file's complete frames and blocks.
///
/// They are found from the headers of frames and blocks, without decompressing.
struct ZstdLayout {
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
