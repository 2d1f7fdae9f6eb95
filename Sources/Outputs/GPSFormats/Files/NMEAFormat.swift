// SPDX-License-Identifier: MIT
package import GNSS
package import NMEA

/// Writes the received sentences with a correct checksum unchanged, one per line. For data from UBX
/// messages or other file formats, generates sentences.
package struct NMEAFormat: OutputFormat, Equatable {
    /// The format is not a track, because epochs without a position are also written.
    ///
    /// It cannot store a date in January 1980, or in January of an earlier year. Receivers report
    /// such dates while they do not know the date, so readers continue with the previous date
    /// instead.
    package static let traits = FormatTraits(
        name: "nmea", extensions: ["nmea", "nma"], summary: "the valid sentences, one per line",
        isTrack: false, wantsSentences: true, canStore: { Epoch.isPlausible($0.date) },
        storesEllipsoidalAltitude: false)

    /// The maximum size of the sentences kept for a fix, in bytes. No receiver sends that much for
    /// one fix. If the size is exceeded, the sentences are written without waiting for `write` or
    /// `skip`.
    private static let undecidedLimit = 1 << 16

    /// The sentences of the next fix, for which `write` or `skip` has not been called yet.
    private var undecided: [UInt8] = []
    /// The index in `undecided` at which its last sentence starts.
    private var lastStart = 0
    /// The index in `undecided` at which a sentence of the fix after the next one starts; `nil` if
    /// there is none.
    private var laterStart: Int?
    private var decided: [UInt8] = []
    private var isLeftOut = false

    package init(_ metadata: OutputMetadata) {}

    /// Writes the remaining sentences of the previous source. Keeps them if `prepare` has assigned
    /// the last one to a later fix, as in a writer from `makeSuccessor`.
    package mutating func begin(_ source: OutputSource) {
        if laterStart == nil { writeWaiting() }
        isLeftOut = false
    }

    /// Keeps a sentence until its fix is written or skipped.
    package mutating func add(_ sentence: RawSentence) {
        lastStart = undecided.count
        Self.append(sentence, to: &undecided)
        if undecided.count > Self.undecidedLimit { writeWaiting() }
    }

    /// Assigns the sentences with the times of other epochs to the fixes before and after this one.
    ///
    /// A receiver may send sentences after the last one that contributes to a fix. Until the end of
    /// its cycle is known, the first sentence of an epoch completes the fix of the epoch before it.
    package mutating func prepare(for fix: Fix) {
        guard let time = fix.timeOfDay else { return }
        var (start, earlierEnd) = (0, 0)
        while let lineEnd = undecided[start...].firstIndex(of: 0x0A) {
            let end = lineEnd + 1
            if let step = Self.step(from: time, to: undecided[start..<end]) {
                guard step < 0 else { break }
                earlierEnd = end
            }
            start = end
        }
        if !isLeftOut { decided += undecided[..<earlierEnd] }
        undecided.removeFirst(earlierEnd)
        lastStart = max(0, lastStart - earlierEnd)
        let isLater = Self.step(from: time, to: undecided[lastStart...]).map { $0 != 0 } ?? false
        laterStart = isLater ? lastStart : nil
    }

    /// Returns the time of a sentence minus `time`, in nanoseconds. Returns 0 if both are times of
    /// the same epoch, which may be rounded differently. Returns `nil` if the sentence has no time.
    private static func step(from time: TimeOfDay, to sentence: ArraySlice<UInt8>) -> Int64? {
        var step: Int64?
        SentencesOfUBX.pass(Array(sentence)) { step = $0.epochTime?.nanoseconds(since: time) }
        return step.map { $0.magnitude < 10_000_000 ? 0 : $0 }
    }

    /// Writes a sentence of the last fix, unless that fix was skipped.
    package mutating func addLate(_ sentence: RawSentence) {
        if !isLeftOut { Self.append(sentence, to: &decided) }
    }

    private static func append(_ sentence: RawSentence, to bytes: inout [UInt8]) {
        let text = sentence.text
        text.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
        bytes.append(0x0D)
        bytes.append(0x0A)
    }

    /// Returns a writer for another file, with the sentences of the next fix.
    package mutating func makeSuccessor() -> NMEAFormat? {
        var next = NMEAFormat()
        swap(&undecided, &next.undecided)
        swap(&lastStart, &next.lastStart)
        swap(&laterStart, &next.laterStart)
        return next
    }

    /// Writes the sentences of a fix.
    package mutating func write(_ fix: Fix) {
        decided += undecided[..<(laterStart ?? undecided.count)]
        endFix()
        isLeftOut = false
    }

    /// Omits the sentences of a fix.
    package mutating func skip() {
        endFix()
        isLeftOut = true
    }

    /// Removes the sentences of the current fix from `undecided`, and keeps the sentences of the
    /// next fix.
    private mutating func endFix() {
        undecided.removeFirst(laterStart ?? undecided.count)
        (lastStart, laterStart) = (0, nil)
    }

    /// Writes the sentences that wait for a fix, unless the last fix was skipped.
    package mutating func writeWaiting() {
        if !isLeftOut { decided += undecided }
        laterStart = nil
        endFix()
    }

    /// The sentences after the last fix, unless that fix was skipped.
    package var closing: [UInt8] { isLeftOut ? [] : undecided }

    /// Continues after the last complete line.
    package mutating func resume(head: [UInt8], end: [UInt8]) -> Int? {
        head.first == UInt8(ascii: "$") || head.first == UInt8(ascii: "!") ? FileEnd(end).kept : nil
    }

    /// Passes the output to `body`, then removes it.
    package mutating func drain(_ body: (Span<UInt8>) throws -> Void) rethrows {
        try body(decided.span)
        decided.removeAll(keepingCapacity: true)
    }
}

/// A listener that also receives the origins and the votes that the comments of a recording state.
/// A file that was continued contains several recordings; see `RawRecording`.
package protocol RecordingListener: DecoderListener {
    /// The origin that the last one of these comments states for the next fix, `.simulated` or
    /// `.replay`; `nil` if the next fix has the origin of the source.
    var statedOrigin: DataOrigin? { get set }
    /// The vote that the last comment about one states, for the next fixes; `nil` if there is none.
    var statedVote: Vote? { get set }
}

extension RecordingListener {
    /// Stores the origin or the vote that a comment states.
    package mutating func didReceive(comment: Span<UInt8>, endEpoch: (inout Self) -> Void) {
        // Most comments state the time of the sentences after them: # 2026-03-21T10:15:20.250000Z
        guard comment.count > 2, !(0x30...0x39 ~= comment[2]) else { return }
        let line = comment.withUnsafeBytes { Array($0) }
        let vote = Vote(recordingLine: line[...])
        // If the origin of the first bytes of a recording is known, another comment states it.
        let beginsRecording = line.starts(with: RawRecording.mark.utf8)
        // The last epoch of the recording that ends has the origin of that recording. A vote is
        // stated between two epochs.
        if beginsRecording || vote != nil {
            endEpoch(&self)
            statedVote = vote
        }
        if let origin = beginsRecording ? .replay : DataOrigin(recordingLine: line[...]) {
            statedOrigin = origin == .simulated ? .simulated : .replay
        }
    }
}

extension NMEADecoder {
    /// Decodes the next bytes of a recording. Unlike `push(_:to:)`, follows the comments that state
    /// the origin of the fixes after them, and reads no sentences in comments.
    package mutating func push(
        recording bytes: Span<UInt8>, to listener: inout some RecordingListener
    ) {
        skipsComments = true
        push(bytes, to: &listener)
    }
}
