// SPDX-License-Identifier: MIT

/// Splits a byte stream into sentences, binary frames, TAG blocks and rejected bytes.
///
/// Pass it chunks of any size: the result does not depend on where the stream is split. A framer
/// buffers at most one partial sentence or frame, and recovers from any input.
public struct Framer: Sendable {
    /// The limits and policies of a framer.
    public struct Options: Hashable, Sendable {
        /// Which sentences are accepted, depending on their checksum.
        public var checksum: ChecksumPolicy = .require
        /// The maximum length of a sentence in bytes, from the start character to the checksum; 1
        /// to 4095.
        public var maximumLength = 1024 {
            didSet { maximumLength = max(1, min(maximumLength, 4095)) }
        }
        /// Whether lines that begin with `#` are comments, in which sentences are not found. Set it
        /// only for recordings, because a framer waits for the end of a comment.
        package var skipsComments = false

        /// Creates the default options.
        public init() {}
    }

    private var scanner: Scanner
    /// The beginning of an incomplete sentence or frame.
    private var pending: [UInt8] = []
    /// Whether `silence` has been called since bytes were last added.
    private var wasSilent = false

    /// Creates a framer at the start of a stream.
    public init(options: Options = Options()) {
        scanner = Scanner(options: options)
    }

    /// See `Options.skipsComments`.
    var skipsComments: Bool {
        get { scanner.options.skipsComments }
        set { scanner.options.skipsComments = newValue }
    }

    /// Returns whether the same bytes produce the same events from both framers. Stream offsets are
    /// ignored.
    func hasSameState(with other: Framer) -> Bool {
        pending == other.pending && scanner.hasSameState(with: other.scanner)
    }

    /// Parses the next bytes of the stream and reports the results to `handle`.
    public mutating func push(_ bytes: Span<UInt8>, _ handle: (FramerEvent) -> Void) {
        push(bytes, sentence: { handle(.sentence($0)) }, other: handle)
    }

    /// Parses the next bytes of the stream. Sentences are reported separately from other events,
    /// which is faster.
    @inline(__always)
    public mutating func push(
        _ bytes: Span<UInt8>, sentence: (RawSentence) -> Void, other: (FramerEvent) -> Void
    ) {
        var next = 0
        wasSilent = false
        while !pending.isEmpty, next < bytes.count {
            // Each added piece doubles the buffer, so that a long binary frame is not scanned again
            // for every byte.
            let before = pending.count
            let piece = min(bytes.count - next, max(128, before))
            for i in next..<next + piece { pending.append(bytes[i]) }
            let used = scanner.scan(pending, sentence, other)
            if used >= before {
                next += used - before
                pending.removeAll(keepingCapacity: true)
            } else {
                next += piece
                pending.removeFirst(used)
            }
        }
        guard next < bytes.count else { return }
        let rest = bytes.extracting(next..<bytes.count)
        let used = scanner.scan(rest, policy: .everything, sentence, other)
        for i in used..<rest.count { pending.append(rest[i]) }
    }

    /// Stops waiting for a line end, and for the rest of a binary frame that a complete sentence or
    /// frame follows: its header is probably noise. Reports the sentences and frames found in the
    /// buffered bytes. Call it when a live line has been silent. Any other partial sentence or
    /// frame is kept.
    public mutating func silence(_ handle: (FramerEvent) -> Void) {
        let used = scanner.scan(pending, policy: .silence, { handle(.sentence($0)) }, handle)
        pending.removeFirst(used)
        wasSilent = true
    }

    /// The number of buffered bytes, which follow the last sentence, frame or rejected byte.
    package var pendingCount: Int { pending.count }

    /// Whether `silence` may release buffered bytes: the start of an apparent binary frame, which
    /// may be noise, or a sentence with its checksum, but without a line end.
    package var awaitsSilence: Bool {
        guard !wasSilent else { return false }
        return pending.suffix(3).first == UInt8(ascii: "*")
            || pending.contains { $0 == 0xB5 || $0 == 0xD3 }
    }

    /// Drops a partial sentence or frame.
    mutating func reset() {
        pending.removeAll(keepingCapacity: true)
        scanner.reset()
    }

    /// Ends the stream. Pending bytes become a sentence or a rejection.
    public mutating func finish(_ handle: (FramerEvent) -> Void) {
        _ = scanner.scan(pending, policy: .nothing, { handle(.sentence($0)) }, handle)
        reset()
    }
}

/// Determines which sentences are accepted, depending on their checksum.
public enum ChecksumPolicy: CaseIterable, Hashable, Sendable {
    /// The checksum must be present and valid. This is the default.
    case require
    /// The checksum may be missing. If present, it must be valid.
    case acceptMissing
    /// The checksum is ignored.
    case ignore
}
