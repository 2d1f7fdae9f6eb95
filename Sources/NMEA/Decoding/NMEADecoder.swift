// SPDX-License-Identifier: MIT
public import GNSS

/// Bytes in pieces of any size in; sentences, fixes and satellite views out.
///
/// Nothing is allocated per sentence, and nothing that comes in can stop it.
public struct NMEADecoder: Sendable {
    private var framer: Framer
    private var core: DecoderCore

    /// Creates a decoder at the start of a stream.
    public init(options: Framer.Options = Framer.Options()) {
        framer = Framer(options: options)
        core = DecoderCore(table: .known)
    }

    /// Decodes a type of sentence from here on, one of yours or in place of one of ours.
    public mutating func register(_ type: any Sentence.Type) {
        core.table.insert(type)
    }

    /// What is assumed of ranges where a receiver reports only its DOPs.
    public var rangeError: RangeError {
        get { core.assembler.rangeError }
        set { core.assembler.rangeError = newValue }
    }

    /// What impossible dates are corrected by, for live receivers only; `nil`, the default,
    /// corrects nothing.
    public var rollover: WeekRollover? {
        get { core.assembler.rollover }
        set { core.assembler.rollover = newValue }
    }

    /// Where every byte and every sentence ended so far.
    public var statistics: Statistics {
        var statistics = core.statistics
        statistics.setIncompleteSets(core.assembler.satellites.incompleteSets)
        return statistics
    }

    /// Whether the same fixes, views and sentences follow from the same bytes. Counts, and where in the
    /// stream the bytes stand, do not matter; both decode the same types of sentences.
    package func isInterchangeable(with other: NMEADecoder) -> Bool {
        framer.isInterchangeable(with: other.framer)
            && core.assembler.isInterchangeable(with: other.core.assembler)
    }

    /// Decodes the next bytes of the stream and reports what they complete.
    public mutating func push(_ bytes: Span<UInt8>, to listener: inout some DecoderListener) {
        Self.push(bytes, &framer, &core, &listener)
    }

    /// Ends the stream: a pending sentence and a pending epoch are reported.
    public mutating func finish(to listener: inout some DecoderListener) {
        Self.finish(&framer, &core, &listener)
        core.assembler.silence()
        core.flush(&listener)
    }

    /// Ends the epoch, and the wait for a binary frame's end; call when a live line has been silent
    /// for `silenceTolerance`.
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

    /// Call where a part of the stream is left out: a sentence or frame under way is dropped.
    package mutating func skip() {
        framer.reset()
        core.assembler.skip()
    }

    /// How long a live line is silent when an epoch is over, or a binary frame will not come whole;
    /// `nil` where neither is under way.
    public var silenceTolerance: Duration? {
        tolerance.map { .nanoseconds($0) }
    }

    /// The same in nanoseconds.
    private var tolerance: Int64? {
        core.assembler.isWaiting || framer.isWaitingForFrame
            ? core.assembler.silenceTolerance : nil
    }

    /// Whether silence would complete something: a fix, a view, or the wait for a binary frame's end.
    ///
    /// Where it would not, a caller need not wake up for it: it is enough to call `silence` when the next
    /// bytes come later than `silenceTolerance`.
    public var awaitsSilence: Bool {
        core.assembler.awaitsSilence || framer.isWaitingForFrame
    }

    /// What a live line's reader wants to know after each piece: `silenceTolerance` in nanoseconds,
    /// `awaitsSilence`, and how many binary frames there were.
    package var lineState: (tolerance: Int64?, awaitsSilence: Bool, frames: Int) {
        (tolerance, awaitsSilence, core.statistics.ubxFrames + core.statistics.rtcmFrames)
    }

    // Framer and core are passed apart, since one is written to while the other works.

    private static func push(
        _ bytes: Span<UInt8>, _ framer: inout Framer, _ core: inout DecoderCore,
        _ listener: inout some DecoderListener
    ) {
        core.handsSentences = listener.wantsSentences
        framer.push(
            bytes, sentence: { core.receive($0, &listener) }, other: { core.receive($0, &listener) }
        )
    }

    private static func silence(
        _ framer: inout Framer, _ core: inout DecoderCore, _ listener: inout some DecoderListener
    ) {
        core.handsSentences = listener.wantsSentences
        framer.silence { core.receive($0, &listener) }
    }

    private static func finish(
        _ framer: inout Framer, _ core: inout DecoderCore, _ listener: inout some DecoderListener
    ) {
        core.handsSentences = listener.wantsSentences
        framer.finish { core.receive($0, &listener) }
    }
}
