// SPDX-License-Identifier: MIT
import UBX

/// Finds the lines and the UBX frames in a chunk of bytes, without decoding them.
struct LineFinder {
    private var checksums = UBXChecksums()

    /// Prepares for a new chunk. Call it before `next(in:from:)` is called with that chunk.
    mutating func reset() { checksums.reset() }

    /// Returns the range of the line or the UBX frame that begins at `start`. A line also ends
    /// before a frame. Bytes with a frame's header but a wrong checksum are not a frame.
    mutating func next(in bytes: [UInt8], from start: Int) -> Range<Int> {
        if case .frame(let count) = UBXFrame.recognise(bytes.span, at: start, &checksums) {
            return start..<start + count
        }
        var end = start + 1
        while end < bytes.count, bytes[end - 1] != 0x0A, !mayBeginFrame(bytes, end) { end += 1 }
        return start..<end
    }

    private mutating func mayBeginFrame(_ bytes: [UInt8], _ index: Int) -> Bool {
        guard bytes[index] == 0xB5, index + 1 < bytes.count, bytes[index + 1] == 0x62 else {
            return false
        }
        if case .none = UBXFrame.recognise(bytes.span, at: index, &checksums) { return false }
        return true
    }
}
