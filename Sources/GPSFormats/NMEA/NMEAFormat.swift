// SPDX-License-Identifier: MIT
public import GNSS
public import NMEA

/// The sentences alone: those whose checksum is right, as they came, each on a line of its own.
public struct NMEAFormat: OutputFormat, Equatable {
    /// `nmea`.
    public static let name = "nmea"
    /// The endings of files with sentences.
    public static let fileExtensions = ["nmea", "nma"]
    /// The description in `--help`.
    public static let summary = "the valid sentences alone, each on a line of its own"
    /// `false`: it has every epoch, also those without a position.
    public static let isTrack = false
    /// `true`: it consists of sentences.
    public static let wantsSentences = true

    /// More bytes than any receiver sends for a fix; beyond it sentences are written without
    /// waiting.
    private static let undecidedLimit = 1 << 16

    /// Sentences whose fix may or may not be written.
    private var undecided: [UInt8] = []
    private var decided: [UInt8] = []
    private var isLeftOut = false

    /// Creates a writer.
    public init() {}

    /// Writes the sentences that the previous source has left.
    public mutating func begin(_ source: OutputSource) {
        settle()
        isLeftOut = false
    }

    /// Keeps a sentence for its fix.
    public mutating func add(_ sentence: RawSentence) {
        let text = sentence.text
        text.withUnsafeBufferPointer { undecided.append(contentsOf: $0) }
        undecided.append(0x0D)
        undecided.append(0x0A)
        if undecided.count > Self.undecidedLimit { settle() }
    }

    /// Writes the sentences of a fix.
    public mutating func write(_ fix: Fix) {
        decided += undecided
        undecided.removeAll(keepingCapacity: true)
        isLeftOut = false
    }

    /// Drops the sentences of a fix.
    public mutating func skip() {
        undecided.removeAll(keepingCapacity: true)
        isLeftOut = true
    }

    private mutating func settle() {
        if !isLeftOut { decided += undecided }
        undecided.removeAll(keepingCapacity: true)
    }

    /// The sentences that no fix has followed.
    public var closing: [UInt8] { isLeftOut ? [] : undecided }

    /// Continues after the last complete line.
    public mutating func resume(head: [UInt8], end: [UInt8]) -> Int? {
        head.first == UInt8(ascii: "$") || head.first == UInt8(ascii: "!") ? FileEnd(end).kept : nil
    }

    /// Passes the sentences written so far to `body`, then removes them.
    public mutating func drain(_ body: (Span<UInt8>) throws -> Void) rethrows {
        try body(decided.span)
        decided.removeAll(keepingCapacity: true)
    }
}
