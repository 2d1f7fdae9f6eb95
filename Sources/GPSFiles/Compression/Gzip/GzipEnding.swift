// SPDX-License-Identifier: MIT

/// The beginning and end of a gzip file's content. To find them, the whole file is decompressed.
///
/// The file can be cut between members, and inside a member where a block ends at a byte boundary,
/// as after `Z_SYNC_FLUSH`.
package struct GzipEnding: CompressedEnding {
    /// A point at which the file can be cut: its offsets in the file and in the content.
    private struct Boundary {
        let place: Int
        let content: Int
        let end: FrameEnd?
    }

    /// The minimum number of content bytes kept in `tail` if the content is longer. It is larger
    /// than a block and the content needed to continue the file.
    private static let longestTail = 1 << 18
    private static let chunk = 1 << 16

    package private(set) var head: [UInt8] = []
    package private(set) var tail: [UInt8] = []
    package private(set) var isTorn = false

    private var boundaries = [Boundary(place: 0, content: 0, end: nil)]
    /// The offset of the tail in the content.
    private var tailStart = 0

    /// Examines a file of `size` bytes. `read` returns a range of the file. `headCount` is the
    /// maximum size of `head`. Throws an error if the first block cannot be decompressed.
    package init(
        size: Int, headCount: Int, read: (_ offset: Int, _ count: Int) -> [UInt8]
    ) throws(CompressionError) {
        let decompressor = try GzipDecompressor()
        var trailer = GzipTrailer()
        var room = [UInt8](repeating: 0, count: Self.chunk)
        var place = 0
        var bytes: ArraySlice<UInt8> = []
        var failure: CompressionError?
        while failure == nil {
            if bytes.isEmpty { bytes = read(place, Self.chunk)[...] }
            do {
                let step = try decompressor.stepToBlockEnd(bytes, into: &room)
                guard step.consumed > 0 || step.produced > 0 else { break }
                place += step.consumed
                bytes = bytes.dropFirst(step.consumed)
                trailer.add(room.prefix(step.produced))
                add(room.prefix(step.produced), headCount)
                guard let boundary = step.boundary else { continue }
                if boundary == .memberEnd { trailer = GzipTrailer() }
                let content = tailStart + tail.count
                // A file may have any number of empty blocks.
                if boundaries.last?.content == content { boundaries.removeLast() }
                boundaries.append(
                    Boundary(
                        place: place, content: content,
                        end: boundary == .memberEnd ? nil : .gzip(trailer)))
            } catch {
                failure = error
            }
        }
        isTorn = failure != nil || decompressor.isInFrame || place < size
        if let failure, tailStart + tail.count == 0 { throw failure }
        // Drop the content after the last boundary, which may be damaged.
        if isTorn, let last = boundaries.last {
            tail.removeLast(max(0, min(tail.count, tailStart + tail.count - last.content)))
        }
    }

    private mutating func add(_ content: ArraySlice<UInt8>, _ headCount: Int) {
        if head.count < headCount { head += content.prefix(headCount - head.count) }
        tail += content
        guard tail.count > 2 * Self.longestTail else { return }
        tailStart += tail.count - Self.longestTail
        tail.removeFirst(tail.count - Self.longestTail)
        boundaries.removeAll { $0.content < tailStart }
    }

    package func cut(dropping count: Int) -> CompressedCut? {
        let end = tailStart + tail.count - count
        guard let last = boundaries.last(where: { $0.content <= end }) else { return nil }
        let carried = tail.dropLast(count).suffix(end - last.content)
        return CompressedCut(place: last.place, carried: Array(carried), end: last.end)
    }
}
