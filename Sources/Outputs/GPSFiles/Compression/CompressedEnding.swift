// SPDX-License-Identifier: MIT

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
