// SPDX-License-Identifier: MIT

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
