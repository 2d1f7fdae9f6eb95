// SPDX-License-Identifier: MIT

/// The beginning and end of a gzip file's content. Decompresses the whole file in bounded memory.
///
/// The file can be cut between members, and inside one where a block ends at a whole byte, as after each flush.
package struct GzipEnding: CompressedEnding {
    /// A point at which the file can be cut: its offsets in the file and in the content.
    private struct Boundary {
        let place: Int
        let content: Int
        let end: FrameEnd?
    }

    /// The number of content bytes kept: more than a block and the part needed to continue.
    private static let longestTail = 1 << 18
    private static let chunk = 1 << 16

    package private(set) var head: [UInt8] = []
    package private(set) var tail: [UInt8] = []
    package private(set) var isTorn = false

    private var boundaries = [Boundary(place: 0, content: 0, end: nil)]
    /// The bytes of content before the tail.
    private var tailStart = 0

    /// Examines a file of `size` bytes, which `read` returns in parts; throws if its first block cannot be
    /// decompressed.
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
                boundaries.append(
                    Boundary(
                        place: place, content: tailStart + tail.count,
                        end: boundary == .memberEnd ? nil : .gzip(trailer)))
            } catch {
                failure = error
            }
        }
        isTorn = failure != nil || decompressor.isInFrame || place < size
        if let failure, tailStart + tail.count == 0 { throw failure }
        // Drops bytes after the last boundary, which may be damaged.
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
