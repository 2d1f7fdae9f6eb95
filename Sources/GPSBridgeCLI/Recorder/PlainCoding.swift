// SPDX-License-Identifier: MIT

/// Stores bytes unchanged.
final class PlainCoding: RecordCoding {
    let gatheringTime = Duration.zero

    func resume(
        _ file: FileBytes, _ prepare: (_ head: [UInt8], _ end: [UInt8]) -> Int?
    ) -> RecordEnding? {
        let end = file.read(max(0, file.size - RecordParts.end), RecordParts.end)
        guard let kept = prepare(file.read(0, RecordParts.head), end) else { return nil }
        let rest = Array(end.dropFirst(kept))
        return RecordEnding(kept: file.size - rest.count, rest: rest, isTorn: false)
    }

    func begin() {}

    func encoded(_ bytes: [UInt8]) -> [UInt8] { bytes }

    func closing(_ bytes: [UInt8]) -> [UInt8] { bytes }
}
