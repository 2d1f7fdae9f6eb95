// SPDX-License-Identifier: MIT
public import GNSS

/// Decodes a byte stream into sentences, fixes and satellite views.
///
/// Pass it chunks of any size. It allocates no memory per sentence and recovers from any input.
public struct NMEADecoder: Sendable {
    private var framer: Framer
    private var core: DecoderCore

    /// Creates a decoder at the start of a stream.
    public init(options: Framer.Options = Framer.Options()) {
        framer = Framer(options: options)
        core = DecoderCore(table: .known)
    }

    /// Registers a sentence type: a new one, or a replacement for a built-in type.
    public mutating func register(_ type: any Sentence.Type) {
        core.table.insert(type)
    }

    /// The range error to assume if a receiver reports only its DOPs.
    public var rangeError: RangeError {
        get { core.assembler.rangeError }
        set { core.assembler.rangeError = newValue }
    }

    /// Corrects dates that are impossible because of a GPS week rollover. Use it only for live
    /// receivers. `nil`, the default, corrects nothing.
    public var rollover: WeekRollover? {
        get { core.assembler.rollover }
        set { core.assembler.rollover = newValue }
    }

    /// The time of arrival of the next bytes; `nil`, the default, if it is not known. If sentences
    /// have no date, it shows whether a day has passed between them. Set it only for live
    /// receivers.
    package var arrival: MonotonicInstant? {
        get { core.assembler.published.arrival }
        set { core.assembler.published.arrival = newValue }
    }

    /// Whether a fix is reported as soon as the learned end of its cycle is received. Set it to
    /// `false` where a fix may wait for the next epoch, as in a conversion.
    package var learnsCycles: Bool {
        get { core.assembler.learnsCycles }
        set { core.assembler.learnsCycles = newValue }
    }

    /// Whether lines that begin with `#` are comments, in which sentences are not read. Set it only
    /// for recordings.
    package var skipsComments: Bool {
        get { framer.skipsComments }
        set { framer.skipsComments = newValue }
    }

    /// The numbers of sentences, frames and other bytes received so far.
    public var statistics: Statistics {
        var statistics = core.statistics
        statistics.setIncompleteSets(core.assembler.satellites.incompleteSets)
        return statistics
    }

    /// Returns whether the same bytes produce the same fixes, satellite views and sentences from
    /// both decoders.
    ///
    /// Counts and stream offsets are ignored. Both must decode the same types of sentences.
    package func hasSameState(with other: NMEADecoder) -> Bool {
        framer.hasSameState(with: other.framer)
            && core.assembler.hasSameState(with: other.core.assembler)
    }

    /// Decodes the next bytes of the stream and reports the results to `listener`.
    public mutating func push(_ bytes: Span<UInt8>, to listener: inout some DecoderListener) {
        Self.push(bytes, &framer, &core, &listener)
    }

    /// Ends the stream, and reports the results of a pending sentence and a pending epoch.
    public mutating func finish(to listener: inout some DecoderListener) {
        Self.finish(&framer, &core, &listener)
        core.assembler.silence()
        core.flush(&listener)
    }

    /// Ends the current epoch, and stops waiting for a line end, and for the rest of a binary frame
    /// that a complete sentence or frame follows: its header is probably noise. Any other partial
    /// sentence or frame is kept. Call it when a live line has been silent for `silenceTolerance`.
    public mutating func silence(to listener: inout some DecoderListener) {
        Self.silence(&framer, &core, &listener)
        core.assembler.silence()
        core.flush(&listener)
    }

    /// Resets everything learned about the stream. Call it after reopening the port.
    public mutating func restart(to listener: inout some DecoderListener) {
        Self.finish(&framer, &core, &listener)
        core.assembler.restart()
        core.flush(&listener)
    }

    /// Drops a partial sentence or frame, the current epoch, and what was learned about the
    /// receiver's cycle. Call it if the next bytes may begin in the middle of a cycle: on a line
    /// that was just opened, or after its settings have changed. The fix of the first cycle is then
    /// reported only if its beginning is known: `silence` was called before it.
    package mutating func join(to listener: inout some DecoderListener) {
        Self.finish(&framer, &core, &listener)
        core.assembler.join()
        core.flush(&listener)
    }

    /// Whether a part of a cycle has been received since `join`, and its beginning is not known.
    package var isInPartOfCycle: Bool { core.assembler.lacksBeginning }

    /// Forgets where the receiver's cycles end. Call it if it may now send other messages.
    package mutating func forgetCycle() { core.assembler.forgetCycle() }

    /// Drops a partial sentence or frame. Call it after skipping a part of the stream.
    package mutating func skip() {
        framer.reset()
    }

    /// The datum of the positions, if the receiver reports that it is not WGS 84 (DTM, PGRMM);
    /// otherwise `nil`. Positions are not converted.
    public var otherDatum: String? { core.assembler.otherDatum }

    /// How long a live line must be silent before `silence` is called, to end an epoch or the wait
    /// for a binary frame or a line end; `nil` if none is pending.
    public var silenceTolerance: Duration? {
        tolerance.map { .nanoseconds($0) }
    }

    /// `silenceTolerance` in nanoseconds.
    private var tolerance: Int64? {
        core.assembler.isWaiting || framer.awaitsSilence
            ? core.assembler.silenceTolerance : nil
    }

    /// Whether calling `silence` would now complete a fix or a satellite view, or may end the wait
    /// for a binary frame or a line end.
    ///
    /// If it is `false`, the caller does not need a timer: it can call `silence` when the next
    /// bytes arrive later than `silenceTolerance`.
    public var awaitsSilence: Bool {
        core.assembler.awaitsSilence || framer.awaitsSilence
    }

    /// The state that the reader of a live line needs after each chunk.
    package struct LineState {
        /// The value of `NMEADecoder.silenceTolerance` in nanoseconds; `nil` if nothing waits for a
        /// silence.
        package var tolerance: Int64?
        /// Whether silence would complete a fix, a view or a pending line; see
        /// `NMEADecoder.awaitsSilence`.
        package var awaitsSilence: Bool
        /// The number of binary frames received so far.
        package var frameCount: Int
        /// The number of UBX frames decoded.
        package var ubxCount: Int
    }

    /// The state after the last chunk.
    package var lineState: LineState {
        LineState(
            tolerance: tolerance, awaitsSilence: awaitsSilence,
            frameCount: core.statistics.ubxFrames + core.statistics.rtcmFrames,
            ubxCount: core.statistics.ubxDecoded)
    }

    // The framer and the core are separate parameters, because both are changed at the same time.

    private static func push(
        _ bytes: Span<UInt8>, _ framer: inout Framer, _ core: inout DecoderCore,
        _ listener: inout some DecoderListener
    ) {
        core.deliversSentences = listener.wantsSentences
        framer.push(
            bytes, sentence: { core.receive($0, &listener) }, other: { core.receive($0, &listener) }
        )
    }

    private static func silence(
        _ framer: inout Framer, _ core: inout DecoderCore, _ listener: inout some DecoderListener
    ) {
        core.deliversSentences = listener.wantsSentences
        framer.silence { core.receive($0, &listener) }
    }

    private static func finish(
        _ framer: inout Framer, _ core: inout DecoderCore, _ listener: inout some DecoderListener
    ) {
        core.deliversSentences = listener.wantsSentences
        framer.finish { core.receive($0, &listener) }
    }
}
