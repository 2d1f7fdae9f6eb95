// SPDX-License-Identifier: MIT
public import GNSS
public import NMEA

/// Converts the output of receivers to another format.
///
/// For each source, call `begin`, push its bytes in pieces of any size, and call `end`. Memory does not
/// grow with the length of the input.
public struct Conversion: ~Copyable {
    private var decoder = NMEADecoder()
    private var sink: ConversionSink
    /// The counts of pieces converted by other conversions, in addition to those of `decoder` and `sink`.
    private var (otherFixCount, otherValidCount) = (0, 0)

    /// Creates a conversion to one of `OutputFormats`; without a format, nothing is written.
    ///
    /// A companion receives every fix and view of the selected time, even those not written.
    public init(
        to format: (any OutputFormat.Type)?, selecting selection: FixSelection = FixSelection(),
        with companion: (any DecoderListener)? = nil, metadata: OutputMetadata = OutputMetadata()
    ) {
        var format: any OutputFormat = format?.init() ?? NoFormat()
        format.describe(metadata)
        sink = ConversionSink(format, selection, companion)
    }

    /// Creates a conversion with a writer that may have resumed a file.
    public init(
        to format: any OutputFormat, selecting selection: FixSelection = FixSelection()
    ) {
        sink = ConversionSink(format, selection, nil)
    }

    /// The current source.
    var source: OutputSource { sink.source }

    /// Returns a conversion in the same state.
    package func copy() -> Conversion { Conversion(decoder: decoder, sink: sink) }

    private init(decoder: NMEADecoder, sink: ConversionSink) {
        self.decoder = decoder
        self.sink = sink
    }

    /// Skips a part of the source: what follows does not continue what came before.
    mutating func skip() {
        decoder.skip()
        sink.skip()
    }

    /// Continues after a piece that another conversion has converted from the same state. Afterwards,
    /// `statistics` does not cover the whole source.
    package mutating func `continue`(behind piece: ConvertedPiece) {
        guard let end = piece.end else { return }
        otherFixCount = fixCount + piece.fixCount - end.conversion.fixCount
        otherValidCount = validCount + piece.validCount - end.conversion.validCount
        decoder = end.conversion.decoder
        sink.`continue`(behind: end.conversion.sink)
    }

    /// Whether both conversions produce the same output from the same bytes; `false` also if that is unknown.
    func hasSameState(with other: borrowing Conversion) -> Bool {
        sink.hasSameState(with: other.sink) && decoder.hasSameState(with: other.decoder)
    }

    /// The counts of sentences and rejections in this source so far.
    public var statistics: Statistics { decoder.statistics }

    /// The number of fixes written.
    public var fixCount: Int { sink.fixCount + otherFixCount }

    /// The number of valid sentences in this source.
    package var validCount: Int { decoder.statistics.valid + otherValidCount }

    /// Whether attitudes without a position have been omitted because the format is a track.
    public var hasAttitudes: Bool { sink.hasAttitudes }

    // MARK: Input

    /// Begins the next source. `rollover` corrects impossible dates of a live source.
    public mutating func begin(_ source: OutputSource, rollover: WeekRollover? = nil) {
        decoder = NMEADecoder()
        decoder.rollover = rollover
        otherValidCount = 0
        sink.begin(source)
    }

    /// Uses a detector and the arrival times of bytes to determine the origin of the fixes.
    package mutating func findOrigin(by detector: OriginDetector) {
        sink.origins = detector
    }

    /// Converts the next bytes of the source; `arrival` is the time at which they arrived, if known.
    public mutating func push(_ bytes: Span<UInt8>, at arrival: UTCTime? = nil) {
        sink.arrival = arrival
        decoder.push(bytes, to: &sink)
    }

    /// Adds a fix that was not decoded from sentences, with the satellites in view at its time.
    public mutating func add(_ fix: Fix, _ view: SatelliteView? = nil) {
        sink.add(fix, view)
    }

    /// Adds the satellites in view at a time without a fix.
    public mutating func add(_ view: SatelliteView) {
        sink.add(view)
    }

    /// Ends the segment of the track.
    public mutating func endSegment() {
        sink.endSegment()
    }

    /// Handles a pause of `silenceTolerance` on a live line.
    public mutating func silence() {
        decoder.silence(to: &sink)
    }

    /// The pause of a live line that ends the current epoch; `nil` if there is none.
    public var silenceTolerance: Duration? { decoder.silenceTolerance }

    /// Resets everything learned about the receiver; call after reopening the port.
    public mutating func restart() {
        decoder.restart(to: &sink)
        sink.endSegment()
    }

    /// Ends the source.
    public mutating func end() {
        decoder.finish(to: &sink)
        sink.endSegment()
    }

    // MARK: Output

    /// Passes the output since the last call to `body`.
    public mutating func drain(_ body: (Span<UInt8>) throws -> Void) rethrows {
        try sink.format.drain(body)
    }

    /// Continues in another file with its writer; output that was not drained is lost.
    public mutating func turn(to format: any OutputFormat) {
        sink.replace(format)
    }

    /// The bytes that complete the output in its current state.
    public var closing: [UInt8] { sink.format.closing }
}

/// A format that writes nothing, for conversions whose only result is the companion's.
private struct NoFormat: OutputFormat {
    static let name = "nothing"
    static let fileExtensions: [String] = []
    static let summary = "nothing"
    static let isTrack = false
    static let isContinuable = false

    mutating func begin(_ source: OutputSource) {}
    mutating func write(_ fix: Fix) {}
    mutating func resume(head: [UInt8], end: [UInt8]) -> Int? { nil }
    mutating func drain(_ body: (Span<UInt8>) throws -> Void) rethrows {}
}
