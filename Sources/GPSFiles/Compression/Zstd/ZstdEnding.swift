// SPDX-License-Identifier: MIT

/// The beginning and end of a zstd file's content, and the block ends at which it can be cut.
package struct ZstdEnding: CompressedEnding {
    /// The end of a block: its offsets in the file and in the content.
    private struct Boundary {
        let place: Int
        let content: Int
        let isInFrame: Bool
        let canBeCut: Bool
    }

    /// The minimum number of content bytes kept in `tail` if the content is longer. It is larger
    /// than a block and the content needed to continue the file.
    private static let longestTail = 1 << 18

    /// The beginning of the content, at most `headCount` bytes.
    package private(set) var head: [UInt8] = []
    /// The end of the content: at least the last 256 KiB, or all content that can be decompressed.
    package private(set) var tail: [UInt8] = []
    /// Whether the file ends with an incomplete or damaged frame.
    package private(set) var isTorn: Bool

    private var boundaries: [Boundary] = []
    /// The offset of the tail in the content of the frames that were decompressed.
    private var tailStart = 0

    /// Examines a file of `size` bytes. `read` returns a range of the file. `headCount` is the
    /// maximum size of `head`. Throws an error if the first block cannot be decompressed, for
    /// example because it needs a dictionary.
    package init(
        size: Int, headCount: Int, read: (_ offset: Int, _ count: Int) -> [UInt8]
    ) throws(CompressionError) {
        let layout = ZstdLayout(size: size, read: read)
        isTorn = layout.isTorn
        for frame in layout.frames where head.count < headCount {
            do {
                head += try Self.beginning(frame, headCount - head.count, read)
            } catch {
                // Skip a damaged frame unless it is the first. `lookAt` handles its effect on the
                // tail.
                if frame.start == layout.frames.first?.start { throw error }
            }
        }
        // Decompress the last frame, then the last two, four and so on, until there is enough
        // content.
        var count = 1
        while true {
            (tail, boundaries, tailStart) = ([], [], 0)
            for (index, frame) in layout.frames.enumerated().suffix(count) {
                try lookAt(frame, read, isLast: index == layout.frames.count - 1)
            }
            if tailStart > 0 || tail.count >= Self.longestTail || count >= layout.frames.count {
                return
            }
            count *= 2
        }
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
    private mutating func lookAt(
        _ frame: ZstdLayout.Frame, _ read: (_ offset: Int, _ count: Int) -> [UInt8], isLast: Bool
    ) throws(CompressionError) {
        let decompressor = try ZstdDecompressor()
        if boundaries.isEmpty {
            boundaries.append(
                Boundary(
                    place: frame.start, content: tailStart + tail.count, isInFrame: false,
                    canBeCut: true))
        }
        for (start, end) in zip([frame.start] + frame.ends, frame.ends) {
            do {
                tail += try decompressor.all(read(start, end - start)[...])
            } catch {
                isTorn = isTorn || isLast
                if !isLast { (tail, boundaries, tailStart) = ([], [], 0) }
                return
            }
            if tail.count > 2 * Self.longestTail {
                tailStart += tail.count - Self.longestTail
                tail.removeFirst(tail.count - Self.longestTail)
                boundaries.removeAll { $0.content < tailStart }
            }
            // The first range is the frame's header, which ends no block.
            guard start > frame.start else { continue }
            boundaries.append(
                Boundary(
                    place: end, content: tailStart + tail.count,
                    isInFrame: !(frame.isWhole && end == frame.ends.last),
                    canBeCut: frame.canBeCut))
        }
    }

    /// Returns the point from which to continue the file, without the last `count` bytes of its
    /// content. Returns `nil` if it is inside a frame with a size or a checksum, as other programs
    /// write.
    package func cut(dropping count: Int) -> CompressedCut? {
        let end = tailStart + tail.count - count
        guard let last = boundaries.last(where: { $0.content <= end }) else {
            return CompressedCut(place: 0, carried: Array(tail.dropLast(count)), end: nil)
        }
        guard !last.isInFrame || last.canBeCut else { return nil }
        let carried = tail.dropLast(count).suffix(end - last.content)
        return CompressedCut(
            place: last.place, carried: Array(carried), end: last.isInFrame ? .zstd : nil)
    }
}
