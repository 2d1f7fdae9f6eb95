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
        /// The longest sentence in bytes, from the start character to the checksum.
        public var maximumLength = 1024

        /// Makes the default options.
        public init() {}
    }

    private var scanner: Scanner
    /// What has come of a sentence or a frame that is not whole yet.
    private var pending: [UInt8] = []

    /// Makes a framer at the start of a stream.
    public init(options: Options = Options()) {
        scanner = Scanner(options: options)
    }

    /// Takes the next bytes of the stream and hands over what they complete.
    public mutating func push(
        _ bytes: Span<UInt8>, _ handle: (FramerEvent) -> Void
    ) {
        var next = 0
        while !pending.isEmpty, next < bytes.count {
            // Pieces double, so that a long binary frame is not scanned again for every byte.
            let before = pending.count
            let piece = min(bytes.count - next, max(128, before))
            for i in next..<next + piece { pending.append(bytes[i]) }
            let used = scanner.scan(pending, handle)
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
        let used = scanner.scan(rest, isFinal: false, handle)
        for i in used..<rest.count { pending.append(rest[i]) }
    }

    /// Takes the end of the stream: what is pending becomes a sentence or a rejection.
    public mutating func finish(_ handle: (FramerEvent) -> Void) {
        scanner.finish(pending, handle)
        pending.removeAll(keepingCapacity: true)
    }
}
