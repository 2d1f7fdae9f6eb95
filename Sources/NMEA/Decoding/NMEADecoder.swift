// SPDX-License-Identifier: MIT
public import GNSS

/// Decodes bytes, in pieces of any size, into sentences, fixes and satellite views.
///
/// Nothing is allocated per sentence, and no input stops the decoder.
public struct NMEADecoder: Sendable {
    private var framer: Framer
    private var core: DecoderCore

    /// Creates a decoder at the start of a stream.
    public init(options: Framer.Options = Framer.Options()) {
        framer = Framer(options: options)
        core = DecoderCore(table: .known)
    }

    /// Registers a type of sentence: a new one, or a replacement for a built-in one.
    public mutating func register(_ type: any Sentence.Type) {
        core.table.insert(type)
    }

    /// The range error assumed if a receiver reports only its DOPs.
    public var rangeError: RangeError {
        get { core.assembler.rangeError }
        set { core.assembler.rangeError = newValue }
    }

    /// Corrects impossible dates. For live receivers only; `nil`, the default, corrects nothing.
    public var rollover: WeekRollover? {
        get { core.assembler.rollover }
        set { core.assembler.rollover = newValue }
    }

    /// Counts of all bytes and sentences, by result.
    public var statistics: Statistics {
        var statistics = core.statistics
        statistics.setIncompleteSets(core.assembler.satellites.incompleteSets)
        return statistics
    }

    /// Whether the same bytes produce the same fixes, views and sentences from both decoders.
    ///
    /// Counts and stream offsets are ignored. Both must decode the same types of sentences.
    package func hasSameState(with other: NMEADecoder) -> Bool {
        framer.hasSameState(with: other.framer)
            && core.assembler.hasSameState(with: other.core.assembler)
    }

    /// Decodes the next bytes of the stream and reports what they complete.
    public mutating func push(_ bytes: Span<UInt8>, to listener: inout some DecoderListener) {
        Self.push(bytes, &framer, &core, &listener)
    }

    /// Ends the stream: reports a pending sentence and a pending epoch.
    public mutating func finish(to listener: inout some DecoderListener) {
        Self.finish(&framer, &core, &listener)
        core.assembler.silence()
        core.flush(&listener)
    }

    /// Ends the epoch and the wait for the end of a binary frame; call when a live line has been
    /// silent for `silenceTolerance`.
    public mutating func silence(to listener: inout some DecoderListener) {
        Self.silence(&framer, &core, &listener)
        core.assembler.silence()
        core.flush(&listener)
    }

    /// Resets everything learned about the stream; call after reopening the port.
    public mutating func restart(to listener: inout some DecoderListener) {
        Self.finish(&framer, &core, &listener)
        core.assembler.restart()
        core.flush(&listener)
    }

    /// Call after leaving out a part of the stream: drops a partial sentence or frame.
    package mutating func skip() {
        framer.reset()
        core.assembler.skip()
    }

    /// The duration of silence on a live line that ends an epoch or the wait for a binary frame;
    /// `nil` if there is neither.
    public var silenceTolerance: Duration? {
        tolerance.map { .nanoseconds($0) }
    }

    /// `silenceTolerance` in nanoseconds.
    private var tolerance: Int64? {
        core.assembler.isWaiting || framer.isWaitingForFrame
            ? core.assembler.silenceTolerance : nil
    }

    /// Whether silence would complete something: a fix, a view, or the wait for a binary frame.
    ///
    /// If not, the caller needs no timer: it can call `silence` when the next bytes arrive later
    /// than `silenceTolerance`.
    public var awaitsSilence: Bool {
        core.assembler.awaitsSilence || framer.isWaitingForFrame
    }

    /// The state that the reader of a live line needs after each piece.
    package struct LineState {
        /// `silenceTolerance` in nanoseconds.
        package var tolerance: Int64?
        /// `NMEADecoder.awaitsSilence`.
        package var awaitsSilence: Bool
        /// The number of binary frames.
        package var frameCount: Int
        /// The number of UBX frames decoded.
        package var ubxCount: Int
    }

    /// The state after the last piece.
    package var lineState: LineState {
        LineState(
            tolerance: tolerance, awaitsSilence: awaitsSilence,
            frameCount: core.statistics.ubxFrames + core.statistics.rtcmFrames,
            ubxCount: core.statistics.ubxDecoded)
    }

    // Framer and core are passed separately, since each is changed while the other works.

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
