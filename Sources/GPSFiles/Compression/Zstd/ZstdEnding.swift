// SPDX-License-Identifier: MIT

/// The content of a zstd file's beginning and end, so that the file can be continued.
package struct ZstdEnding: CompressedEnding {
    /// The end of a block: its offsets in the file and in the content.
    private struct Boundary {
        let place: Int
        let content: Int
        let isInFrame: Bool
        let canBeCut: Bool
    }

    /// More than a block and the content needed of the end.
    private static let longestTail = 1 << 18

    /// The beginning of the content, at most as much as was requested.
    package private(set) var head: [UInt8] = []
    /// The end of the content: 256 KiB, or all of it.
    package private(set) var tail: [UInt8] = []
    /// Whether the file ends with an incomplete frame.
    package private(set) var isTorn: Bool

    private var boundaries: [Boundary] = []
    /// The bytes of content before the tail, in the frames decompressed.
    private var tailStart = 0

    /// Examines a file of that size, which `read` gives access to; throws where its first block
    /// cannot be decompressed, as where it was compressed with a dictionary.
    package init(
        size: Int, headCount: Int, read: (_ offset: Int, _ count: Int) -> [UInt8]
    ) throws(CompressionError) {
        let layout = ZstdLayout(size: size, read: read)
        isTorn = layout.isTorn
        for frame in layout.frames where head.count < headCount {
            do {
                head += try Self.beginning(frame, headCount - head.count, read)
            } catch {
                // Later ones are looked at below.
                if frame.start == layout.frames.first?.start { throw error }
            }
        }
        // From the last frame backwards: each may hold little.
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

    /// Adds the content of a frame. Of a damaged one the valid blocks count if it is the last; otherwise
    /// it is left out together with everything before it.
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
            // A frame without blocks does not count.
            guard start > frame.start else { continue }
            boundaries.append(
                Boundary(
                    place: end, content: tailStart + tail.count,
                    isInFrame: !(frame.isWhole && end == frame.ends.last),
                    canBeCut: frame.canBeCut))
        }
    }

    /// Where to continue so that all but the last bytes of the tail are kept; `nil` in a frame of another
    /// program that has a size or a checksum.
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
