// SPDX-License-Identifier: MIT

/// Bytes in pieces of any size in, sentences and rejections out.
///
/// It keeps at most one partial sentence or frame, and never stops on bad input. Splitting the
/// input at any byte gives the same sentences and the same counts.
public struct Framer: Sendable {
    /// Limits and policies.
    public struct Options: Hashable, Sendable {
        /// Which sentences are let through.
        public var checksum: ChecksumPolicy = .require
        /// The longest sentence in bytes, from the start character to the checksum; 1 to 4095.
        public var maximumLength = 1024 {
            didSet { maximumLength = max(1, min(maximumLength, 4095)) }
        }

        /// Creates the default options.
        public init() {}
    }

    private var scanner: Scanner
    /// The beginning of a sentence or frame that is not complete yet.
    private var pending: [UInt8] = []

    /// Creates a framer at the start of a stream.
    public init(options: Options = Options()) {
        scanner = Scanner(options: options)
    }

    /// Whether the same follows from the same bytes; where in the stream they stand does not matter.
    func isInterchangeable(with other: Framer) -> Bool {
        pending == other.pending && scanner.isInterchangeable(with: other.scanner)
    }

    /// Parses the next bytes of the stream and reports what they complete.
    public mutating func push(_ bytes: Span<UInt8>, _ handle: (FramerEvent) -> Void) {
        push(bytes, sentence: { handle(.sentence($0)) }, other: handle)
    }

    /// Parses the next bytes of the stream and reports what they complete: sentences apart from
    /// all else, which is the fast way.
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
        let used = scanner.scan(rest, hope: .everything, sentence, other)
        for i in used..<rest.count { pending.append(rest[i]) }
    }

    /// Gives up a binary frame that has begun, and reports the sentences that it held back; call
    /// when a live line has been silent. A partial sentence stays.
    public mutating func silence(_ handle: (FramerEvent) -> Void) {
        let used = scanner.scan(pending, hope: .noFrame, { handle(.sentence($0)) }, handle)
        pending.removeFirst(used)
    }

    /// Whether bytes are held back that `silence` would hand over: noise may look like a header.
    package var isWaitingForFrame: Bool {
        pending.contains { $0 == 0xB5 || $0 == 0xD3 }
    }

    /// Drops a sentence or frame that has begun.
    mutating func reset() {
        pending.removeAll(keepingCapacity: true)
        scanner.reset()
    }

    /// Ends the stream: pending bytes become a sentence or a rejection.
    public mutating func finish(_ handle: (FramerEvent) -> Void) {
        _ = scanner.scan(pending, hope: .nothing, { handle(.sentence($0)) }, handle)
        reset()
    }
}

/// Which sentences are let through by their checksum.
public enum ChecksumPolicy: CaseIterable, Hashable, Sendable {
    /// It must be there and right. The default.
    case require
    /// It may be missing, but if it is there it must be right.
    case acceptMissing
    /// It is not looked at.
    case ignore
}
