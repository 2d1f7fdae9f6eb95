// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats

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
        if format.isTrack { conversion.confirm() }
    }

    func begin(_ source: OutputSource) {
        conversion.begin(source)
    }

    func found(_ origin: DataOrigin) {
        conversion.change(to: origin)
    }

    /// Has no effect: these formats cannot store a vote.
    func found(_ vote: Vote) {}

    var wantsBytes: Bool { format.wantsSentences }

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
        if !format.isTrack { unconfirmed += bytes }
        return bytes
    }

    func confirm() {
        isRecalled = false
        unconfirmed.removeAll(keepingCapacity: true)
        if format.isTrack { conversion.confirm() }
    }

    func recall() { isRecalled = true }

    var hasContent: Bool { conversion.fixCount > earlierCount || !format.isTrack }

    var omission: String? { conversion.hasUndated ? format.undatedOmission : nil }

    var closing: [UInt8] { conversion.closing }

    func wholeCount(of bytes: ArraySlice<UInt8>) -> Int {
        bytes.lastIndex(of: 0x0A).map { $0 + 1 - bytes.startIndex } ?? 0
    }

    func prepare(head: [UInt8], end: [UInt8]) -> Int? {
        var writer = format.init()
        writer.describe(metadata)
        guard let kept = head.isEmpty ? 0 : writer.resume(head: head, end: end) else { return nil }
        earlierCount = conversion.fixCount
        switch (isRecalled, format.isTrack) {
        case (true, true): earlierCount -= conversion.switchFormatUnconfirmed(to: writer)
        case (true, false): recalled = exchange(&unconfirmed, with: [])
        case (false, _):
            conversion.switchFormat(to: writer)
            confirm()
        }
        isRecalled = false
        return kept
    }
}

extension OutputFormat {
    /// The message that fixes are omitted because they have no date, or one that the format cannot
    /// store.
    static var undatedOmission: String {
        needsDate
            ? "fixes without a date, or with a date that \(name) cannot store, are not written"
            : "fixes whose date \(name) cannot store are not written"
    }

    /// The messages about values of fixes that this format could not store.
    static func omissions(of conversion: borrowing Conversion) -> [String] {
        let altitudes =
            storesEllipsoidalAltitude
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
        needsDate
            ? "\(name) needs a date, and no selected fix has one that it can store"
            : "\(name) cannot store the date of any selected fix"
    }
}
