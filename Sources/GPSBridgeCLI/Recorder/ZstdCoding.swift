// SPDX-License-Identifier: MIT
import Compression

/// Bytes compressed by zstd, block by block; the last block, over which the next one is written, makes
/// the file whole, and holds what closes the recording.
final class ZstdCoding: RecordCoding {
    /// A block more often than that would make more of the bytes than it saves; and a second is what may
    /// be lost.
    let patience = Duration.milliseconds(700)

    /// Only a file's last frame is read again when it is continued.
    private static let longestFrame = 4 << 20

    /// The frame that is written; `nil` where the next bytes begin one.
    private var frame: ZstdFrame?
    /// What has to be written before them: the end of another frame, and what was cut off with it.
    private var isFrameOpen = false
    private var carried: [UInt8] = []

    func resume(
        _ file: FileBytes, _ turn: (_ head: [UInt8], _ end: [UInt8]) -> Int?
    ) throws -> RecordEnding? {
        let head = file.read(0, 4)
        guard ZstdDecompressor.isZstd(head) || ZstdFrame.whole([]).starts(with: head) else {
            return nil
        }
        let ending: ZstdEnding
        do {
            ending = try ZstdEnding(
                size: file.size, headCount: RecordParts.head, read: file.read)
        } catch {
            throw RecordFile.Failure.foreign(
                file.path, "what is there already cannot be decompressed: \(error)")
        }
        let end = Array(ending.tail.suffix(RecordParts.end))
        guard let kept = turn(ending.head, end) else { return nil }
        let rest = Array(end.dropFirst(kept))
        guard let cut = ending.cut(dropping: rest.count) else {
            throw RecordFile.Failure.foreign(
                file.path, "it was compressed by another program: decompress it first")
        }
        (frame, isFrameOpen, carried) = (nil, cut.isInFrame, cut.carried)
        return RecordEnding(kept: cut.place, rest: rest, isTorn: ending.isTorn)
    }

    func begin() {
        (frame, isFrameOpen, carried) = (nil, false, [])
    }

    func encoded(_ bytes: [UInt8]) throws -> [UInt8] {
        var result: [UInt8] = []
        if isFrameOpen, frame == nil || (frame?.size ?? 0) > Self.longestFrame {
            result += ZstdFrame.end()
            (frame, isFrameOpen) = (nil, false)
        }
        let all = carried + bytes
        guard !all.isEmpty else { return result }
        let open = try frame ?? ZstdFrame()
        result += try open.append(all)
        (frame, isFrameOpen, carried) = (open, true, [])
        return result
    }

    func closing(_ bytes: [UInt8]) -> [UInt8] {
        if isFrameOpen { return ZstdFrame.end(bytes) }
        return bytes.isEmpty ? [] : ZstdFrame.whole(bytes)
    }
}
