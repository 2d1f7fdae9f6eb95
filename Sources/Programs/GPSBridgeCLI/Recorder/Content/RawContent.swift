// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats

/// Records a receiver's bytes with their arrival times, or copies those of a recording.
final class RawContent: RecordContent {
    /// Whether the bytes are those of a recording. The time of copying says nothing about them.
    private let isCopy: Bool
    private var recording = RawRecording()
    private var source: OutputSource?
    private var vote: Vote?
    private(set) var hasContent = false
    /// The bytes that were taken and not confirmed.
    private var unconfirmed: [UInt8] = []
    /// Whether the next file begins with `unconfirmed`.
    private var isRecalled = false

    init(isCopy: Bool) {
        self.isCopy = isCopy
    }

    func begin(_ source: OutputSource) {
        self.source = source
        recording.begin(source)
    }

    func found(_ origin: DataOrigin) {
        guard origin != source?.origin else { return }
        source?.origin = origin
        recording.found(origin)
    }

    func found(_ vote: Vote) {
        self.vote = vote
        recording.found(vote)
    }

    var wantsBytes: Bool { true }

    func push(_ bytes: [UInt8], at time: UTCTime) {
        hasContent = true
        recording.push(bytes, at: isCopy ? nil : time)
    }

    /// Has no effect: the bytes already contain the fix.
    func add(_ fix: Fix) {}

    /// Has no effect: the bytes already contain the satellites.
    func add(_ view: SatelliteView) {}

    func silence() {
        recording.flush()
    }

    /// The pause that completes an unfinished line; `nil` if there is none.
    var silenceTolerance: Duration? { recording.isHolding ? .milliseconds(500) : nil }

    func addGap() {
        recording.addGap()
    }

    /// Ends a copy of binary messages with a line end. A recording that is continued is cut after its
    /// last message, and a copy has no lines from which the messages can be counted.
    func end() {
        if isCopy { recording.endMessage() } else { recording.flush() }
    }

    func take() -> [UInt8] {
        let bytes = recording.take()
        unconfirmed += bytes
        return bytes
    }

    func confirm() {
        unconfirmed.removeAll(keepingCapacity: true)
        isRecalled = false
    }

    func recall() { isRecalled = true }

    var omission: String? { nil }

    var closing: [UInt8] { [] }

    func wholeCount(of bytes: ArraySlice<UInt8>) -> Int { RawRecording.wholeCount(of: bytes) }

    func prepare(head: [UInt8], end: [UInt8]) -> Int? {
        let kept = head.isEmpty ? 0 : RawRecording.resume(head: head, end: end)
        guard let kept else { return nil }
        let last = kept > 0 ? end[kept - 1] : 0x0A
        defer {
            hasContent = isRecalled && hasContent && !unconfirmed.isEmpty
            if hasContent { recording.append(written: unconfirmed) }
            confirm()
        }
        guard let source else {
            recording = RawRecording(after: last)
            return kept
        }
        recording.beginFile(source, after: last)
        if let vote { recording.found(vote) }
        return kept
    }
}
