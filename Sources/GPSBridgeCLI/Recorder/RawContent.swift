// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats

/// A receiver's bytes with the times at which they arrived.
final class RawContent: RecordContent {
    private var recording = RawRecording()
    private var source: OutputSource?
    private(set) var hasContent = false

    func begin(_ source: OutputSource) {
        self.source = source
        recording.begin(source)
    }

    func found(_ origin: DataOrigin) {
        guard origin != source?.origin else { return }
        source?.origin = origin
        recording.found(origin)
    }

    func push(_ bytes: [UInt8], at time: UTCTime) {
        hasContent = true
        recording.push(bytes, at: time)
    }

    func silence() {
        recording.flush()
    }

    /// The pause after which an unfinished line counts as ended.
    var silenceTolerance: Duration? { recording.isHolding ? .milliseconds(500) : nil }

    func addGap() {
        recording.addGap()
    }

    func end() {
        recording.flush()
    }

    func take() -> [UInt8] { recording.take() }

    var closing: [UInt8] { [] }

    func turn(head: [UInt8], end: [UInt8]) -> Int? {
        hasContent = false
        let kept = head.isEmpty ? 0 : RawRecording.resume(head: head, end: end)
        if kept != nil, let source { recording.beginFile(source) }
        return kept
    }
}
