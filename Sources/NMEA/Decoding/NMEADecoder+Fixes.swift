// SPDX-License-Identifier: MIT
public import GNSS

extension NMEADecoder {
    /// The fixes of a whole recording, each when it is asked for.
    ///
    /// ```swift
    /// let recording = try Data(contentsOf: url)
    /// for fix in NMEADecoder.fixes(in: recording) { show(fix) }
    /// ```
    public static func fixes<Bytes>(in bytes: Bytes) -> FixSequence<Bytes> {
        FixSequence(bytes: bytes)
    }

    /// The fixes of bytes that are still to come, each as soon as it is complete.
    ///
    /// The sequence ends with the bytes, and throws what they throw.
    public static func fixes<Bytes>(in bytes: Bytes) -> AsyncFixSequence<Bytes> {
        AsyncFixSequence(bytes: bytes)
    }
}

/// The fixes that a sequence of bytes contains; see `NMEADecoder.fixes(in:)`.
public struct FixSequence<Bytes: Sequence<UInt8>>: Sequence {
    let bytes: Bytes

    /// Decodes line by line.
    public struct Iterator: IteratorProtocol {
        var bytes: Bytes.Iterator
        var queue = FixQueue()

        /// The next fix; `nil` behind the last one.
        public mutating func next() -> Fix? {
            while true {
                if let fix = queue.next() { return fix }
                guard !queue.isFinished else { return nil }
                if let byte = bytes.next() { queue.push(byte) } else { queue.finish() }
            }
        }
    }

    /// Decodes from the first byte on.
    public func makeIterator() -> Iterator {
        Iterator(bytes: bytes.makeIterator())
    }
}

extension FixSequence: Sendable where Bytes: Sendable {}

/// The fixes that an asynchronous sequence of bytes contains; see `NMEADecoder.fixes(in:)`.
public struct AsyncFixSequence<Bytes: AsyncSequence>: AsyncSequence where Bytes.Element == UInt8 {
    let bytes: Bytes

    /// Decodes line by line.
    public struct AsyncIterator: AsyncIteratorProtocol {
        var bytes: Bytes.AsyncIterator
        var queue = FixQueue()

        /// The next fix; `nil` behind the last one.
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

    /// Decodes from the next byte on.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(bytes: bytes.makeAsyncIterator())
    }
}

extension AsyncFixSequence: Sendable where Bytes: Sendable {}

/// A decoder that is given single bytes, and the fixes that have not been asked for.
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

    /// So much is decoded at once where there are no line ends.
    private static let longestLine = 1024

    mutating func next() -> Fix? {
        fixes.fixes.isEmpty ? nil : fixes.fixes.removeFirst()
    }

    mutating func push(_ byte: UInt8) {
        line.append(byte)
        if byte == UInt8(ascii: "\n") || line.count == Self.longestLine { decode() }
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

    // The line is lent while the others are written to.
    private static func push(
        _ line: [UInt8], to decoder: inout NMEADecoder, _ fixes: inout Collector
    ) {
        decoder.push(line.span, to: &fixes)
    }
}
