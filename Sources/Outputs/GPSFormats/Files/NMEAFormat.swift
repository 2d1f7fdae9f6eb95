// SPDX-License-Identifier: MIT
public import GNSS
public import NMEA

/// Writes the received sentences with a correct checksum unchanged, one per line. For data from UBX
/// messages or other file formats, generates sentences.
public struct NMEAFormat: OutputFormat, Equatable {
    /// The name `nmea`.
    public static let name = "nmea"
    /// The extensions `nmea` and `nma`.
    public static let fileExtensions = ["nmea", "nma"]
    /// The description in `--help`.
    public static let summary = "the valid sentences, one per line"
    /// Altitudes are above mean sea level.
    public static let storesEllipsoidalAltitude = false
    /// The format is not a track, because epochs without a position are also written.
    public static let isTrack = false
    /// The format writes only sentences.
    public static let wantsSentences = true

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

    /// Creates a writer.
    public init() {}

    /// Returns `false` for a date in January 1980, or in January of an earlier year. Receivers
    /// report such dates while they do not know the date, so readers continue with the previous
    /// date instead.
    public static func canStore(_ date: UTCTime) -> Bool { Epoch.isPlausible(date.date) }

    /// Writes the remaining sentences of the previous source. Keeps them if `prepare` has assigned
    /// the last one to a later fix, as in a writer from `makeSuccessor`.
    public mutating func begin(_ source: OutputSource) {
        if laterStart == nil { writeWaiting() }
        isLeftOut = false
    }

    /// Keeps a sentence until its fix is written or skipped.
    public mutating func add(_ sentence: RawSentence) {
        lastStart = undecided.count
        Self.append(sentence, to: &undecided)
        if undecided.count > Self.undecidedLimit { writeWaiting() }
    }

    /// Assigns the sentences with the times of other epochs to the fixes before and after this one.
    ///
    /// A receiver may send sentences after the last one that contributes to a fix. Until the end of
    /// its cycle is known, the first sentence of an epoch completes the fix of the epoch before it.
    public mutating func prepare(for fix: Fix) {
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
    public mutating func addLate(_ sentence: RawSentence) {
        if !isLeftOut { Self.append(sentence, to: &decided) }
    }

    private static func append(_ sentence: RawSentence, to bytes: inout [UInt8]) {
        let text = sentence.text
        text.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
        bytes.append(0x0D)
        bytes.append(0x0A)
    }

    /// Returns a writer for another file, with the sentences of the next fix.
    public mutating func makeSuccessor() -> NMEAFormat {
        var next = NMEAFormat()
        swap(&undecided, &next.undecided)
        swap(&lastStart, &next.lastStart)
        swap(&laterStart, &next.laterStart)
        return next
    }

    /// Writes the sentences of a fix.
    public mutating func write(_ fix: Fix) {
        decided += undecided[..<(laterStart ?? undecided.count)]
        endFix()
        isLeftOut = false
    }

    /// Omits the sentences of a fix.
    public mutating func skip() {
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
    public mutating func writeWaiting() {
        if !isLeftOut { decided += undecided }
        laterStart = nil
        endFix()
    }

    /// The sentences after the last fix, unless that fix was skipped.
    public var closing: [UInt8] { isLeftOut ? [] : undecided }

    /// Continues after the last complete line.
    public mutating func resume(head: [UInt8], end: [UInt8]) -> Int? {
        head.first == UInt8(ascii: "$") || head.first == UInt8(ascii: "!") ? FileEnd(end).kept : nil
    }

    /// Passes the output to `body`, then removes it.
    public mutating func drain(_ body: (Span<UInt8>) throws -> Void) rethrows {
        try body(decided.span)
        decided.removeAll(keepingCapacity: true)
    }
}
