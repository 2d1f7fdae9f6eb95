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
    package var rangeError: RangeError {
        get { core.assembler.rangeError }
        set { core.assembler.rangeError = newValue }
    }

    /// Corrects dates that are impossible because of a GPS week rollover. Use it only for live
    /// receivers. `nil`, the default, corrects nothing.
    package var rollover: WeekRollover? {
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
    package mutating func push(_ bytes: Span<UInt8>, to listener: inout some DecoderListener) {
        Self.push(bytes, &framer, &core, &listener)
    }

    /// Ends the stream, and reports the results of a pending sentence and a pending epoch.
    package mutating func finish(to listener: inout some DecoderListener) {
        Self.finish(&framer, &core, &listener)
        core.assembler.silence()
        core.flush(&listener)
    }

    /// Ends the current epoch, and stops waiting for a line end, and for the rest of a binary frame
    /// that a complete sentence or frame follows: its header is probably noise. Any other partial
    /// sentence or frame is kept. Call it when a live line has been silent for `silenceTolerance`.
    package mutating func silence(to listener: inout some DecoderListener) {
        Self.silence(&framer, &core, &listener)
        let isInPart = core.assembler.lacksBeginning
        core.assembler.silence()
        core.silenceOffset = framer.offset
        if isInPart { core.findBeginning(at: framer.offset, &listener) }
        core.flush(&listener)
    }

    /// Resets everything learned about the stream. Call it after reopening the port.
    package mutating func restart(to listener: inout some DecoderListener) {
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
        core.joinOffset = framer.offset
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
    package var otherDatum: String? { core.assembler.otherDatum }

    /// How long a live line must be silent before `silence` is called, to end an epoch or the wait
    /// for a binary frame or a line end; `nil` if none is pending.
    package var silenceTolerance: Duration? {
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
    package var awaitsSilence: Bool {
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
        core.serve(listener)
        framer.push(
            bytes, sentence: { core.receive($0, &listener) }, other: { core.receive($0, &listener) }
        )
    }

    private static func silence(
        _ framer: inout Framer, _ core: inout DecoderCore, _ listener: inout some DecoderListener
    ) {
        core.serve(listener)
        framer.silence { core.receive($0, &listener) }
    }

    private static func finish(
        _ framer: inout Framer, _ core: inout DecoderCore, _ listener: inout some DecoderListener
    ) {
        core.serve(listener)
        framer.finish { core.receive($0, &listener) }
    }
}

extension NMEADecoder {
    /// Decodes the next bytes of the stream and passes the results to `handle`.
    public mutating func push(_ bytes: Span<UInt8>, _ handle: (DecoderEvent) -> Void) {
        listen(handle) { push(bytes, to: &$0) }
    }

    /// Ends the stream, and passes the results of a pending sentence and a pending epoch to
    /// `handle`.
    public mutating func finish(_ handle: (DecoderEvent) -> Void) {
        listen(handle) { finish(to: &$0) }
    }

    /// Ends the current epoch, and stops waiting for a line end, and for the rest of a binary frame
    /// that a complete sentence or frame follows: its header is probably noise. Any other partial
    /// sentence or frame is kept. Call it when a live line has been silent for `silenceTolerance`.
    package mutating func silence(_ handle: (DecoderEvent) -> Void) {
        listen(handle) { silence(to: &$0) }
    }

    /// Resets everything learned about the stream. Call it after reopening the port.
    public mutating func restart(_ handle: (DecoderEvent) -> Void) {
        listen(handle) { restart(to: &$0) }
    }
}

// The compiler adds a check that the closure has not escaped, which contains the name of this file.
// Without a `#sourceLocation`, it would also contain the length of the full path in spite of
// `-file-prefix-map`, and the compiled program would depend on its build folder.
#sourceLocation(file:"NMEADecoder+Events.listen",line:30)
/// Calls `body` with a listener that passes all results to `handle`.
private func listen(_ handle: (DecoderEvent) -> Void, _ body: (inout EventListener) -> Void) {
    // Safety: the listener is not used after this call.
    withoutActuallyEscaping(handle) { handle in
        var listener = EventListener(handle: handle)
        body(&listener)
    }
}
#sourceLocation()

extension NMEADecoder {
    /// Returns the fixes of a complete recording, decoded lazily.
    ///
    /// ```swift
    /// let recording = try Data(contentsOf: url)
    /// for fix in NMEADecoder.fixes(in: recording) { show(fix) }
    /// ```
    public static func fixes<Bytes>(in bytes: Bytes) -> FixSequence<Bytes> {
        FixSequence(bytes: bytes)
    }

    /// Returns the fixes of an asynchronous sequence of bytes, each as soon as it is complete.
    ///
    /// The sequence ends when the bytes end, and rethrows their errors.
    public static func fixes<Bytes>(in bytes: Bytes) -> AsyncFixSequence<Bytes> {
        AsyncFixSequence(bytes: bytes)
    }
}

/// The fixes in a sequence of bytes; see `NMEADecoder.fixes(in:)`.
public struct FixSequence<Bytes: Sequence<UInt8>>: Sequence {
    let bytes: Bytes

    /// Decodes the bytes line by line, as fixes are requested.
    public struct Iterator: IteratorProtocol {
        var bytes: Bytes.Iterator
        var queue = FixQueue()

        /// Returns the next fix; `nil` after the last one.
        public mutating func next() -> Fix? {
            while true {
                if let fix = queue.next() { return fix }
                guard !queue.isFinished else { return nil }
                if let byte = bytes.next() { queue.push(byte) } else { queue.finish() }
            }
        }
    }

    /// Creates an iterator that decodes from the first byte.
    public func makeIterator() -> Iterator {
        Iterator(bytes: bytes.makeIterator())
    }
}

extension FixSequence: Sendable where Bytes: Sendable {}

/// The fixes in an asynchronous sequence of bytes; see `NMEADecoder.fixes(in:)`.
public struct AsyncFixSequence<Bytes: AsyncSequence>: AsyncSequence where Bytes.Element == UInt8 {
    let bytes: Bytes

    /// Decodes the bytes line by line, as fixes are requested.
    public struct AsyncIterator: AsyncIteratorProtocol {
        var bytes: Bytes.AsyncIterator
        var queue = FixQueue()

        /// Returns the next fix; `nil` after the last one.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(Bytes.Failure) -> Fix? {
            while true {
                if let fix = queue.next() { return fix }
                guard !queue.isFinished else { return nil }
                if let byte = try await bytes.next(isolation: actor) {
                    queue.push(byte)
                } else {
                    queue.finish()
                }
            }
        }
    }

    /// Creates an iterator that decodes the bytes of a new iterator over the byte sequence.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(bytes: bytes.makeAsyncIterator())
    }
}

extension AsyncFixSequence: Sendable where Bytes: Sendable {}

/// Decodes bytes that are added one at a time, and stores the fixes that have not been returned.
struct FixQueue {
    private(set) var isFinished = false
    private var decoder = NMEADecoder()
    private var line: [UInt8] = []
    private var fixes = Collector()

    private struct Collector: DecoderListener {
        var fixes: [Fix] = []
        var wantsSentences: Bool { false }
        mutating func didReceive(fix: Fix, satellites view: SatelliteView) {
            fixes.append(fix)
        }
    }

    /// The number of bytes after which a line is decoded even if it has no end.
    private static let maximumLineLength = 1024

    mutating func next() -> Fix? {
        fixes.fixes.isEmpty ? nil : fixes.fixes.removeFirst()
    }

    mutating func push(_ byte: UInt8) {
        line.append(byte)
        if byte == UInt8(ascii: "\n") || line.count == Self.maximumLineLength { decode() }
    }

    mutating func finish() {
        decode()
        decoder.finish(to: &fixes)
        isFinished = true
    }

    private mutating func decode() {
        Self.push(line, to: &decoder, &fixes)
        line.removeAll(keepingCapacity: true)
    }

    // This function is static, because it reads the line while it changes the other properties.
    private static func push(
        _ line: [UInt8], to decoder: inout NMEADecoder, _ fixes: inout Collector
    ) {
        decoder.push(line.span, to: &fixes)
    }
}

/// An error thrown when a sentence cannot be read.
public enum NMEAError: Error, Hashable, Sendable {
    /// The framer or the decoder rejected the sentence.
    case rejected(Rejection.Reason)
    /// The sentence is valid, but belongs to another type. If a sentence type's `init(_:)` throws
    /// this error, the decoder delivers the sentence undecoded.
    case otherSentence(address: String)
    /// The text does not contain exactly one sentence.
    case notOneSentence
}
