// SPDX-License-Identifier: MIT
public import GNSS
public import NMEA

/// Converts bytes of receivers to another format.
///
/// One source after the other is begun, pushed in pieces of any size and ended; `finish` comes
/// last. Memory does not grow with what is converted.
public struct Conversion: ~Copyable {
    private var decoder = NMEADecoder()
    private var sink: ConversionSink
    /// Counts of pieces that other conversions have converted, beyond those of `decoder` and `sink`.
    private var (otherFixCount, otherValidCount) = (0, 0)

    /// Creates a conversion to one of `OutputFormats`, or to nothing.
    ///
    /// A companion receives every fix and every view of the selected time, written or not.
    public init(
        to format: (any OutputFormat.Type)?, selecting selection: FixSelection = FixSelection(),
        with companion: (any DecoderListener)? = nil, metadata: OutputMetadata = OutputMetadata()
    ) {
        var format: any OutputFormat = format?.init() ?? NoFormat()
        format.describe(metadata)
        sink = ConversionSink(format, selection, companion)
    }

    /// Creates a conversion by a writer that may have resumed a file.
    public init(
        to format: any OutputFormat, selecting selection: FixSelection = FixSelection()
    ) {
        sink = ConversionSink(format, selection, nil)
    }

    /// The source that was begun last.
    var source: OutputSource { sink.source }

    /// A conversion in the same state.
    package func copy() -> Conversion { Conversion(decoder: decoder, sink: sink) }

    private init(decoder: NMEADecoder, sink: ConversionSink) {
        self.decoder = decoder
        self.sink = sink
    }

    /// Leaves out a part of the source: what comes next does not follow on what was.
    mutating func skip() {
        decoder.skip()
        sink.skip()
    }

    /// Continues behind a piece that another conversion has converted from the same state. `statistics` are no
    /// longer those of the whole source then.
    package mutating func `continue`(behind piece: ConvertedPiece) {
        guard let end = piece.end else { return }
        otherFixCount = fixCount + piece.fixCount - end.conversion.fixCount
        otherValidCount = validCount + piece.validCount - end.conversion.validCount
        decoder = end.conversion.decoder
        sink.`continue`(behind: end.conversion.sink)
    }

    /// Whether the same output follows from the same bytes as in another state; `false` also where that is
    /// not known.
    func hasSameState(with other: borrowing Conversion) -> Bool {
        sink.hasSameState(with: other.sink) && decoder.hasSameState(with: other.decoder)
    }

    /// The counts of sentences and rejections of this source so far.
    public var statistics: Statistics { decoder.statistics }

    /// How many fixes have been written.
    public var fixCount: Int { sink.fixCount + otherFixCount }

    /// How many sentences of this source were valid.
    package var validCount: Int { decoder.statistics.valid + otherValidCount }

    /// Whether attitudes without a position have been left out: the format is a track.
    public var hasAttitudes: Bool { sink.hasAttitudes }

    // MARK: In

    /// Begins with the next source. Impossible dates of a live one can be corrected by `rollover`.
    public mutating func begin(_ source: OutputSource, rollover: WeekRollover? = nil) {
        decoder = NMEADecoder()
        decoder.rollover = rollover
        otherValidCount = 0
        sink.begin(source)
    }

    /// Finds the origin of the source's fixes by a detector and by the times at which bytes arrive.
    package mutating func findOrigin(by detector: OriginDetector) {
        sink.origins = detector
    }

    /// Converts the next bytes of the source, which arrived at an instant, if that is known.
    public mutating func push(_ bytes: Span<UInt8>, at arrival: UTCTime? = nil) {
        sink.arrival = arrival
        decoder.push(bytes, to: &sink)
    }

    /// Adds a fix that was not decoded from sentences, with the satellites in view at its time.
    public mutating func add(_ fix: Fix, _ view: SatelliteView? = nil) {
        sink.add(fix, view)
    }

    /// Adds the satellites in view where no fix is of their time.
    public mutating func add(_ view: SatelliteView) {
        sink.add(view)
    }

    /// Ends the segment of the track.
    public mutating func endSegment() {
        sink.endSegment()
    }

    /// Takes note that a live line has been silent for `silenceTolerance`.
    public mutating func silence() {
        decoder.silence(to: &sink)
    }

    /// How long a live line is silent when an epoch is over; `nil` where none is under way.
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

    // MARK: Out

    /// Hands over what was written since the last time.
    public mutating func drain(_ body: (Span<UInt8>) throws -> Void) rethrows {
        try sink.format.drain(body)
    }

    /// Continues in another file by its writer; what was not drained is lost.
    public mutating func turn(to format: any OutputFormat) {
        sink.replace(format)
    }

    /// The bytes that complete the output as it stands.
    public var closing: [UInt8] { sink.format.closing }
}

/// Writes nothing: for conversions whose only result is what the observer collects.
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
