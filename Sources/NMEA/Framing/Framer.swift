// SPDX-License-Identifier: MIT

/// Splits bytes, in pieces of any size, into sentences and rejections.
///
/// A framer keeps at most one partial sentence or frame, and no input stops it. The sentences and
/// counts do not depend on how the input is split.
public struct Framer: Sendable {
    /// Limits and policies.
    public struct Options: Hashable, Sendable {
        /// The checksum policy.
        public var checksum: ChecksumPolicy = .require
        /// The longest sentence in bytes, from the start character to the checksum; 1 to 4095.
        public var maximumLength = 1024 {
            didSet { maximumLength = max(1, min(maximumLength, 4095)) }
        }

        /// Creates the default options.
        public init() {}
    }

    private var scanner: Scanner
    /// The beginning of an incomplete sentence or frame.
    private var pending: [UInt8] = []

    /// Creates a framer at the start of a stream.
    public init(options: Options = Options()) {
        scanner = Scanner(options: options)
    }

    /// Whether the same bytes produce the same events from both framers; stream offsets are
    /// ignored.
    func hasSameState(with other: Framer) -> Bool {
        pending == other.pending && scanner.hasSameState(with: other.scanner)
    }

    /// Parses the next bytes of the stream and reports what they complete.
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
        while !pending.isEmpty, next < bytes.count {
            // Pieces double, so that a long binary frame is not scanned again for every byte.
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

    /// Ends the wait for a binary frame and reports the sentences that it held back; call when a
    /// live line has been silent. A partial sentence stays.
    public mutating func silence(_ handle: (FramerEvent) -> Void) {
        let used = scanner.scan(pending, policy: .noFrame, { handle(.sentence($0)) }, handle)
        pending.removeFirst(used)
    }

    /// Whether `silence` would release held bytes: noise may look like a frame header.
    package var isWaitingForFrame: Bool {
        pending.contains { $0 == 0xB5 || $0 == 0xD3 }
    }

    /// Drops a partial sentence or frame.
    mutating func reset() {
        pending.removeAll(keepingCapacity: true)
        scanner.reset()
    }

    /// Ends the stream: pending bytes become a sentence or a rejection.
    public mutating func finish(_ handle: (FramerEvent) -> Void) {
        _ = scanner.scan(pending, policy: .nothing, { handle(.sentence($0)) }, handle)
        reset()
    }
}

/// The sentences accepted, by their checksum.
public enum ChecksumPolicy: CaseIterable, Hashable, Sendable {
    /// The checksum must be present and valid. The default.
    case require
    /// The checksum may be missing, but if present must be valid.
    case acceptMissing
    /// The checksum is ignored.
    case ignore
}
