// SPDX-License-Identifier: MIT

extension CompressedEnding {
    private static let chunk = 1 << 16

    /// Examines a gzip file of `size` bytes. To find its end, the whole file is decompressed.
    ///
    /// The file can be cut between members, and inside a member where a block ends at a byte
    /// boundary, as after `Z_SYNC_FLUSH`. `read` returns a range of the file. `headCount` is the
    /// maximum size of `head`. Throws an error if the first block cannot be decompressed.
    init(
        gzip size: Int, headCount: Int, read: (_ offset: Int, _ count: Int) -> [UInt8]
    ) throws(CompressionError) {
        self.init()
        let decompressor = try GzipDecompressor()
        var trailer = GzipTrailer()
        var room = [UInt8](repeating: 0, count: Self.chunk)
        var offset = 0
        var bytes: ArraySlice<UInt8> = []
        var failure: CompressionError?
        addBoundary(at: 0)
        while failure == nil {
            if bytes.isEmpty { bytes = read(offset, Self.chunk)[...] }
            do {
                let step = try decompressor.stepToBlockEnd(bytes, into: &room)
                guard step.consumed > 0 || step.produced > 0 else { break }
                offset += step.consumed
                bytes = bytes.dropFirst(step.consumed)
                let content = room.prefix(step.produced)
                trailer.add(content)
                if head.count < headCount { head += content.prefix(headCount - head.count) }
                append(content)
                guard let boundary = step.boundary else { continue }
                if boundary == .memberEnd { trailer = GzipTrailer() }
                addBoundary(at: offset, boundary == .memberEnd ? nil : .gzip(trailer))
            } catch {
                failure = error
            }
        }
        isTorn = failure != nil || decompressor.isInFrame || offset < size
        if let failure, contentSize == 0 { throw failure }
        if isTorn { dropIncompleteBlock() }
    }
}
