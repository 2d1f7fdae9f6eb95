// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats

/// The content of a recording: a receiver's bytes, or its fixes in an output format.
protocol RecordContent: AnyObject {
    /// Sets the source of the following data.
    func begin(_ source: OutputSource)

    /// Sets the origin of the following data.
    func found(_ origin: DataOrigin)

    /// Sets which of several receivers the following bytes come from.
    func found(_ vote: Vote)

    /// Whether the content is created from the receiver's bytes. Otherwise, it is created from the
    /// session's fixes and satellites.
    var wantsBytes: Bool { get }

    /// Adds bytes that arrived at the given time.
    func push(_ bytes: [UInt8], at time: UTCTime)

    func add(_ fix: Fix)

    func add(_ view: SatelliteView)

    /// Handles a pause in the data that lasted `silenceTolerance`.
    func silence()

    /// The pause after which `silence` must be called; `nil` if it need not be called.
    var silenceTolerance: Duration? { get }

    /// Marks a gap, because the receiver was lost.
    func addGap()

    /// Handles the end of the data.
    func end()

    /// Removes and returns the bytes to write.
    func take() -> [UInt8]

    /// Confirms that the file contains all bytes that were taken, or that they are dropped.
    func confirm()

    /// Makes the content that was taken and not confirmed the beginning of the next file. Call this
    /// before `prepare` if the current file will not contain it.
    func recall()

    /// The request to send to a receiver on a serial line when it is opened; `nil` if there is none.
    var request: [UInt8]? { get }

    /// Whether to write the current file. It stays empty until the first byte or, for a track, the
    /// first fix.
    var hasContent: Bool { get }

    /// The message about fixes that the recording leaves out; `nil` if it contains everything.
    var omission: String? { get }

    /// The bytes that complete the file if no more content follows.
    var closing: [UInt8] { get }

    /// Returns how many bytes at the start consist of whole lines or messages. Only these are
    /// written if the disk has no space for all bytes.
    func wholeCount(of bytes: ArraySlice<UInt8>) -> Int

    /// Begins a new file, or continues an existing one. The arguments are the first and the last
    /// bytes of the existing file's content; both are empty for a new file. Returns how many of the
    /// last bytes to keep; `nil` if the existing file has other content.
    func prepare(head: [UInt8], end: [UInt8]) -> Int?

    /// Returns why an existing file with this beginning cannot be continued, in a few words after its
    /// name; `nil` if no reason is known.
    func obstacle(to head: [UInt8]) -> String?
}

extension RecordContent {
    var request: [UInt8]? { nil }
}

/// Records a receiver's fixes in an output format.
///
/// The fixes, with their integrity, come from the session, as in `monitor`. Only a format that
/// consists of sentences decodes the receiver's bytes itself.
final class FixContent: RecordContent {
    private let format: any OutputFormat.Type
    private let metadata: OutputMetadata
    private var conversion: Conversion
    /// The number of fixes written to previous files.
    private var earlierCount = 0
    /// The text that was taken and not confirmed. Only used for a format that is no track: it has no
    /// header, so its text is the same in every file.
    private var unconfirmed: [UInt8] = []
    /// The text with which the next file begins.
    private var recalled: [UInt8] = []
    /// Whether the next file begins with what was not confirmed.
    private var isRecalled = false

    init(
        to format: any OutputFormat.Type, selecting selection: FixSelection,
        columns: OutputColumns
    ) {
        self.format = format
        var metadata = OutputMetadata()
        metadata.columns = columns
        self.metadata = metadata
        conversion = Conversion(to: format, selecting: selection, metadata: metadata)
        if format.traits.isTrack { conversion.confirm() }
    }

    func begin(_ source: OutputSource) {
        conversion.begin(source)
    }

    func found(_ origin: DataOrigin) {
        conversion.change(to: origin)
    }

    /// Has no effect: these formats cannot store a vote.
    func found(_ vote: Vote) {}

    var wantsBytes: Bool { format.traits.wantsSentences }

    func push(_ bytes: [UInt8], at time: UTCTime) {
        conversion.push(bytes.span)
        conversion.writeWaiting()
    }

    func add(_ fix: Fix) {
        conversion.add(fix)
    }

    func add(_ view: SatelliteView) {
        conversion.add(view)
    }

    func silence() {
        conversion.silence()
        conversion.writeWaiting()
    }

    var silenceTolerance: Duration? { conversion.silenceTolerance }

    func addGap() {
        conversion.restart()
    }

    func end() {
        conversion.end()
    }

    func take() -> [UInt8] {
        var bytes = exchange(&recalled, with: [])
        conversion.drain { span in
            span.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
        }
        if !format.traits.isTrack { unconfirmed += bytes }
        return bytes
    }

    func confirm() {
        isRecalled = false
        unconfirmed.removeAll(keepingCapacity: true)
        if format.traits.isTrack { conversion.confirm() }
    }

    func recall() { isRecalled = true }

    var hasContent: Bool { conversion.fixCount > earlierCount || !format.traits.isTrack }

    var omission: String? { conversion.hasUndated ? format.undatedOmission : nil }

    var closing: [UInt8] { conversion.closing }

    func wholeCount(of bytes: ArraySlice<UInt8>) -> Int {
        bytes.lastIndex(of: 0x0A).map { $0 + 1 - bytes.startIndex } ?? 0
    }

    func prepare(head: [UInt8], end: [UInt8]) -> Int? {
        var writer = format.init(metadata)
        guard let kept = head.isEmpty ? 0 : writer.resume(head: head, end: end) else { return nil }
        earlierCount = conversion.fixCount
        switch (isRecalled, format.traits.isTrack) {
        case (true, true): earlierCount -= conversion.switchFormatUnconfirmed(to: writer)
        case (true, false): recalled = exchange(&unconfirmed, with: [])
        case (false, _):
            conversion.switchFormat(to: writer)
            confirm()
        }
        isRecalled = false
        return kept
    }

    func obstacle(to head: [UInt8]) -> String? {
        format.init(metadata).obstacle(toResuming: head)
    }
}

extension OutputFormat {
    /// The message that fixes are omitted because they have no date, or one that the format cannot
    /// store.
    static var undatedOmission: String {
        traits.needsDate
            ? "fixes without a date, or with a date that \(name) cannot store, are not written"
            : "fixes whose date \(name) cannot store are not written"
    }

    /// The messages about values of fixes that this format could not store.
    static func omissions(of conversion: borrowing Conversion) -> [String] {
        let altitudes =
            traits.storesEllipsoidalAltitude
            ? "some altitudes are not written: all altitudes of a file in \(name) are above one surface, "
                + "and some fixes have only an altitude above the other one (mean sea level or the ellipsoid)"
            : "altitudes above the ellipsoid are not written: \(name) stores altitudes above mean sea level, "
                + "which are not known"
        return (conversion.hasUndated ? [undatedOmission] : [])
            + (conversion.hasLostAltitude ? [altitudes] : [])
    }

    /// The reason why no fix was written, if all were omitted because they have no date, or one
    /// that the format cannot store.
    static var undatedReason: String {
        traits.needsDate
            ? "\(name) needs a date, and no selected fix has one that it can store"
            : "\(name) cannot store the date of any selected fix"
    }
}

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

    func obstacle(to head: [UInt8]) -> String? { nil }
}
