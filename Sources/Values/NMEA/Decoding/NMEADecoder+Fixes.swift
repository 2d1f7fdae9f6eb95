// SPDX-License-Identifier: MIT
public import GNSS

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
