// SPDX-License-Identifier: MIT
public import GNSS
public import NMEA

/// Converts the output of receivers to a file format.
///
/// For each source, call `begin`, push its bytes in chunks of any size, and call `end`. Memory does
/// not grow with the length of the input.
public struct Conversion: ~Copyable {
    private var decoder = NMEADecoder()
    private var sink: ConversionSink
    /// The number of fixes that other conversions have written for pieces (`ConvertedPiece`).
    private var otherFixCount = 0
    /// The number of valid sentences that other conversions have read in pieces of this source.
    private var otherValidCount = 0
    /// The number of sentences that they have rejected.
    private var otherRejectedCount = 0
    private var earlierDatum: String?
    /// Whether `drain` or a piece has returned output.
    package private(set) var hasOutput = false

    /// The number of waypoints and routes written.
    package private(set) var placeCount = 0

    /// Creates a conversion to the format with a name, one of `OutputFormats.names`, such as
    /// `"gpx"`. Returns `nil` if there is no such format.
    public init?(format name: String, selecting selection: FixSelection = FixSelection()) {
        guard let format = OutputFormats.named(name) else { return nil }
        self.init(to: format, selecting: selection)
    }

    /// Creates a conversion to one of `OutputFormats`. If `format` is `nil`, nothing is written.
    ///
    /// `split` divides the output into several files; see `fileName` and `takeEndedFiles()`.
    ///
    /// `listener` receives every fix that the selection by time and quality accepts, even if
    /// thinning omits it, and every satellite view and epoch without a position in the selected
    /// time range. If `readsAllFields` is `true`, malformed fields are counted even in sentences
    /// whose values the format does not contain.
    package init(
        to format: (any OutputFormat.Type)?, selecting selection: FixSelection = FixSelection(),
        with listener: (any DecoderListener)? = nil, metadata: OutputMetadata = OutputMetadata(),
        dividing split: TrackSplit? = nil, readsAllFields: Bool = false
    ) {
        decoder.learnsCycles = false
        sink = ConversionSink(
            (format ?? NoFormat.self).init(metadata), selection, listener,
            readsAllFields: readsAllFields)
        sink.files = split.map {
            ConversionFiles(
                splitter: TrackSplitter($0, gap: selection.gap), metadata: metadata)
        }
    }

    var source: OutputSource { sink.source }

    /// Returns a conversion in the same state, from which both can continue independently.
    package func copy() -> Conversion { Conversion(decoder: decoder, sink: sink) }

    private init(decoder: NMEADecoder, sink: ConversionSink) {
        self.decoder = decoder
        self.sink = sink
    }

    /// Handles a skipped part of the source: later data does not continue earlier data.
    mutating func skip() {
        decoder.skip()
        sink.skip()
    }

    /// Continues after a piece that another conversion has converted from the same state. From then
    /// on, `statistics` does not cover the whole source.
    package mutating func `continue`(behind piece: ConvertedPiece) {
        guard let end = piece.end else { return }
        otherFixCount = fixCount + piece.fixCount - end.conversion.fixCount
        otherValidCount = validCount + piece.validCount - end.conversion.validCount
        otherRejectedCount =
            rejectedCount + piece.rejectedCount - end.conversion.rejectedCount
        earlierDatum = otherDatum
        if !piece.bytes.isEmpty { hasOutput = true }
        decoder = end.conversion.decoder
        sink.`continue`(behind: end.conversion.sink)
    }

    /// Returns whether both conversions would produce the same output from the same bytes. Also
    /// returns `false` if this cannot be determined.
    func hasSameState(with other: borrowing Conversion) -> Bool {
        sink.hasSameState(with: other.sink) && decoder.hasSameState(with: other.decoder)
    }

    /// The numbers of sentences and of rejections in the current source so far.
    public var statistics: Statistics { decoder.statistics }

    /// The number of fixes written.
    public var fixCount: Int { sink.fixCount + otherFixCount }

    /// Whether the output drained so far contains sentences, with or without fixes. Also `false` if
    /// fixes are selected: then only sentences of selected fixes count.
    package var hasSentences: Bool { hasOutput && sink.wantsSentences && !sink.hasSelection }

    /// The number of valid sentences in the current source.
    package var validCount: Int { decoder.statistics.valid + otherValidCount }

    /// The number of rejected sentences in the current source.
    package var rejectedCount: Int { decoder.statistics.rejected + otherRejectedCount }

    /// The datum of the positions in the current source if the receiver reports a datum other than
    /// WGS 84; otherwise `nil`. Positions are not converted.
    public var otherDatum: String? { decoder.otherDatum ?? earlierDatum }

    /// Whether the input contained attitudes without a position, as from a compass. Formats for
    /// tracks omit them.
    package var hasAttitudes: Bool { sink.hasAttitudes }

    /// Whether fixes have been omitted because the format needs a date and they have none, or
    /// because the format cannot store their date.
    package var hasUndated: Bool { sink.hasUndated }

    /// Whether fixes have been written without their altitude, because it was not known above the
    /// surface that the format or the file's header requires.
    package var hasLostAltitude: Bool { sink.hasLostAltitude }

    /// Whether altitudes above mean sea level have been computed from those above the ellipsoid with
    /// the model of the geoid.
    package var hasModelledAltitude: Bool { sink.hasModelledAltitude }

    // MARK: Input

    /// Begins the next source.
    public mutating func begin(_ source: OutputSource) { begin(source, rollover: nil) }

    /// Begins the next source. For a live source, pass `rollover` to correct impossible dates.
    package mutating func begin(_ source: OutputSource, rollover: WeekRollover?) {
        decoder = NMEADecoder()
        decoder.learnsCycles = false
        decoder.rollover = rollover
        (otherValidCount, otherRejectedCount, earlierDatum) = (0, 0, nil)
        sink.begin(source)
    }

    /// Changes the origin of the following fixes.
    package mutating func change(to origin: DataOrigin) {
        sink.change(to: origin)
    }

    /// Converts the next bytes of the source.
    public mutating func push(_ bytes: Span<UInt8>) {
        decoder.push(bytes, to: &sink)
    }

    /// Converts the next bytes of a recording. Unlike `push(_:)`, follows the lines of `record`
    /// that state the origin of the fixes after them, and reads no sentences in comments.
    package mutating func push(recording bytes: Span<UInt8>) {
        decoder.push(recording: bytes, to: &sink)
    }

    /// Adds a fix that was read from a format other than NMEA, with the satellites in view at its
    /// time.
    public mutating func add(_ fix: Fix, _ view: SatelliteView? = nil) {
        sink.add(fix, view)
    }

    /// Adds the satellites in view at a time without a fix.
    public mutating func add(_ view: SatelliteView) {
        sink.add(view)
    }

    /// Passes a fix that is not written, such as a point of a route, to the listener if the
    /// selection by time and quality accepts it.
    package mutating func observe(_ fix: Fix) {
        sink.observe(fix)
    }

    /// Adds a waypoint. Returns `false` if the format cannot store it at this point of the file.
    package mutating func add(_ waypoint: Waypoint) -> Bool {
        let isWritten = sink.format.write(waypoint)
        if isWritten { placeCount += 1 }
        return isWritten
    }

    /// Adds a route. Returns `false` if the format cannot store it at this point of the file.
    package mutating func add(_ route: Route) -> Bool {
        let isWritten = sink.format.write(route)
        if isWritten { placeCount += 1 }
        return isWritten
    }

    /// Ends the track. The next fix begins another one; `name` is its name in the source, if it has
    /// one.
    package mutating func beginTrack(_ name: String?) {
        sink.begin(track: name)
    }

    /// Ends the segment of the track.
    package mutating func endSegment() {
        sink.endSegment()
    }

    /// Ends the current epoch. Call this after a pause of `silenceTolerance` on a live line.
    package mutating func silence() {
        decoder.silence(to: &sink)
    }

    /// The duration of a pause on a live line that ends the current epoch; `nil` if no epoch is
    /// incomplete.
    package var silenceTolerance: Duration? { decoder.silenceTolerance }

    /// Resets everything learned about the receiver, and ends the segment. Call it after reopening
    /// the port.
    package mutating func restart() {
        decoder.restart(to: &sink)
        sink.endSegment()
    }

    /// Ends the source: completes its last epoch, and ends the segment.
    public mutating func end() {
        decoder.finish(to: &sink)
        sink.endSegment()
        sink.format.writeWaiting()
    }

    /// Writes the sentences that wait for a fix if no epoch is incomplete. On a live line without
    /// fixes, such as one with AIS, they would wait for a long time. Does nothing if fixes are
    /// selected: then the next fix decides whether its sentences are written.
    package mutating func writeWaiting() {
        guard !sink.hasSelection, silenceTolerance == nil else { return }
        sink.format.writeWaiting()
    }

    // MARK: Output

    /// The name of the current file, which receives the output of `drain`; `nil` before the first
    /// file has a name, and without `split`.
    package var fileName: String? { sink.files?.name }

    /// Gives the first file a name even if it has no fix yet.
    package mutating func beginFile() {
        sink.files?.beginFile()
    }

    /// Returns the files that were completed since the last call.
    package mutating func takeEndedFiles() -> [EndedFile] {
        sink.files?.takeEnded() ?? []
    }

    /// Passes the output produced since the last call of `drain` to `body`.
    public mutating func drain(_ body: (Span<UInt8>) throws -> Void) rethrows {
        var count = 0
        try sink.format.drain { span in
            count = span.count
            try body(span)
        }
        if count > 0 { hasOutput = true }
    }

    /// Continues with another file and its writer. Output of the previous writer that has not been
    /// drained is lost.
    package mutating func switchFormat(to format: any OutputFormat) {
        sink.replace(format)
    }

    /// Confirms that the file contains all fixes that have been written. From the first call on,
    /// later fixes are kept until the next one.
    package mutating func confirm() {
        sink.confirm()
    }

    /// Continues with another file, which begins with the fixes that were written, but not
    /// confirmed. Returns their number.
    package mutating func switchFormatUnconfirmed(to format: any OutputFormat) -> Int {
        sink.replaceUnconfirmed(format)
    }

    /// The bytes that complete the output in its current state.
    public var closing: [UInt8] { sink.format.closing }

    /// The bytes that replace the first bytes of the completed output; empty for most formats.
    package var head: [UInt8] { sink.format.head }
}

/// A format that writes nothing, for conversions whose only result comes from the listener.
private struct NoFormat: OutputFormat {
    static let traits = FormatTraits(
        name: "nothing", extensions: [], summary: "nothing", isTrack: false, isContinuable: false)

    init(_ metadata: OutputMetadata) {}
    mutating func begin(_ source: OutputSource) {}
    mutating func write(_ fix: Fix) {}
    mutating func drain(_ body: (Span<UInt8>) throws -> Void) rethrows {}
}

/// A listener of a conversion that also receives the origin of the fixes.
package protocol OriginListener: DecoderListener {
    /// Called before a fix if its origin differs from that of the source so far. A recording states
    /// another origin if it was continued.
    func didChange(origin: DataOrigin)
}

/// A part of an NMEA recording that is converted separately.
package struct ConversionPiece: Sendable {
    /// Reads bytes at an offset in the recording into a buffer. Returns the number of bytes, which
    /// is 0 at the end.
    package typealias Reader =
        @Sendable (_ offset: Int, _ buffer: UnsafeMutableRawBufferPointer) throws -> Int

    /// A position in a list of recordings: the index of the recording and an offset in it.
    package struct Position: Comparable, Sendable {
        package let recording: Int
        package let offset: Int

        package init(_ recording: Int, _ offset: Int) {
            (self.recording, self.offset) = (recording, offset)
        }

        package static func < (one: Position, other: Position) -> Bool {
            (one.recording, one.offset) < (other.recording, other.offset)
        }
    }

    /// The source of the recording.
    let source: OutputSource
    /// The position of the piece's first byte, which may be in the middle of a sentence.
    let position: Position
    /// The number of bytes in the piece.
    let count: Int
    /// Whether the piece is the last one of the recording.
    let isLast: Bool
    /// Reads bytes. It may be called by several tasks concurrently.
    private let read: Reader

    /// Creates a piece of a recording.
    package init(
        of source: OutputSource, at position: Position, count: Int, isLast: Bool,
        read: @escaping Reader
    ) {
        self.source = source
        self.position = position
        self.count = count
        self.isLast = isLast
        self.read = read
    }

    /// Whether the piece is the first one of the recording.
    var isFirst: Bool { position.offset == 0 }
    /// The position after the piece, where the next piece begins.
    var end: Position {
        isLast
            ? Position(position.recording + 1, 0)
            : Position(position.recording, position.offset + count)
    }

    /// Returns the guessed state at the beginning of the piece. It is the result of converting the
    /// `warmUp` bytes before the piece, starting with `state`.
    func guessedStart(from state: ConversionState, warmUp: Int) -> ConversionState {
        var conversion = state.conversion.copy()
        // The state of another recording must not be used. The origin of the source changes within
        // a recording that was continued.
        if isFirst || conversion.source.name != source.name { conversion.begin(source) }
        conversion.drain { _ in }
        guard !isFirst else { return ConversionState(conversion) }
        conversion.skip()
        // If the bytes cannot be read, the guess is wrong, which is detected later.
        _ = push(max(0, position.offset - warmUp)..<position.offset, to: &conversion) { _ in }
        return ConversionState(conversion)
    }

    /// Converts the piece. Returns `false` if it cannot be read completely or the task is
    /// cancelled.
    func convert(by conversion: inout Conversion, _ handle: (Span<UInt8>) -> Void) -> Bool {
        push(position.offset..<position.offset + count, to: &conversion, handle)
    }

    /// Converts bytes in parts that are small enough to fit in the processor's cache, together with
    /// their output.
    private func push(
        _ range: Range<Int>, to conversion: inout Conversion, _ handle: (Span<UInt8>) -> Void
    ) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
            var offset = range.lowerBound
            while offset < range.upperBound {
                let room = UnsafeMutableRawBufferPointer(
                    rebasing: buffer.prefix(range.upperBound - offset))
                // After an error, the caller converts the same bytes again and reports the error.
                guard !Task.isCancelled, let count = try? read(offset, room), count > 0 else {
                    return false
                }
                let bytes = UnsafeRawBufferPointer(rebasing: room.prefix(count))
                conversion.push(recording: bytes.bindMemory(to: UInt8.self).span)
                conversion.drain(handle)
                offset += count
            }
            return true
        }
    }
}

/// The state of a conversion, to be passed between tasks.
// Safety: it is only copied, never changed, and its conversion has no listener, which tasks would
// share.
final class ConversionState: @unchecked Sendable {
    let conversion: Conversion

    init(_ conversion: consuming Conversion) {
        self.conversion = conversion
    }
}

/// The result of converting a piece. Its memory is reused for later pieces, because new allocations
/// would take a third of the conversion's time.
// Safety: only the task that converts a piece writes it. It is read after that task has ended, and
// then passed to the next one.
package final class ConvertedPiece: @unchecked Sendable {
    /// The output of the piece.
    package private(set) var bytes: [UInt8] = []
    /// The number of bytes of the recording that were converted.
    package private(set) var count = 0
    /// The number of fixes written in this piece.
    private(set) var fixCount = 0
    /// The number of valid sentences in this piece.
    private(set) var validCount = 0
    /// The number of rejected sentences in this piece.
    private(set) var rejectedCount = 0
    private(set) var end: ConversionState?

    /// Converts a piece, starting with `start`, the state at its beginning. Returns `false` if the
    /// piece cannot be read completely.
    func convert(_ piece: ConversionPiece, from start: ConversionState) -> Bool {
        var conversion = start.conversion.copy()
        let (fixes, valid) = (conversion.fixCount, conversion.validCount)
        let rejected = conversion.rejectedCount
        bytes.removeAll(keepingCapacity: true)
        let isWhole = piece.convert(by: &conversion) { span in
            span.withUnsafeBytes { bytes.append(contentsOf: $0) }
        }
        count = piece.count
        (fixCount, validCount) = (conversion.fixCount - fixes, conversion.validCount - valid)
        rejectedCount = conversion.rejectedCount - rejected
        end = ConversionState(conversion)
        return isWhole
    }
}

/// A completed file of a conversion that divides a track into several files.
package struct EndedFile {
    /// The part of the file's name that distinguishes it from the other files, such as `002` or
    /// `20260321`.
    package let name: String
    /// The output that has not been drained yet, followed by the bytes that complete the file.
    package let rest: [UInt8]
    /// The bytes that replace the first bytes of the file; empty for most formats.
    package let head: [UInt8]
}

/// The files of a conversion that divides a track.
struct ConversionFiles {
    var splitter: TrackSplitter
    let metadata: OutputMetadata
    /// The name of the current file; `nil` before its first fix.
    var name: String?
    var ended: [EndedFile] = []

    /// Gives the first file a name even if it has no fix yet.
    mutating func beginFile() {
        if name == nil { name = splitter.file(beginningWith: Fix()) }
    }

    /// Returns the completed files and forgets them.
    ///
    /// This moves them out in one place. Swift 6.3 leaks them if the conversion reads and clears
    /// them through the optional `files` itself, as optimized code.
    mutating func takeEnded() -> [EndedFile] {
        let taken = ended
        ended = []
        return taken
    }

    /// Adds a completed file to `ended`, with its remaining output.
    mutating func end(_ format: any OutputFormat, _ name: String) {
        var format = format
        let head = format.head
        let closing = format.closing
        var rest: [UInt8] = []
        format.drain { span in span.withUnsafeBytes { rest += $0 } }
        ended.append(EndedFile(name: name, rest: rest + closing, head: head))
    }
}
