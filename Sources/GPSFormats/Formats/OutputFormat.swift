// SPDX-License-Identifier: MIT
public import GNSS
public import NMEA

/// A file format for fixes. To add one, add a file and a line in `OutputFormats`.
///
/// A source begins, its segments and fixes follow, then the next source. The output is buffered until `drain`
/// passes it on. It consists of complete lines, so that a file that was cut off can be continued; see
/// `resume`.
///
/// Long recordings are converted on several processor cores if the format is `Equatable`: equal writers have
/// the same buffered output and produce the same output from the same fixes.
public protocol OutputFormat: SendableMetatype {
    /// The format's name on the command line: `gpx`.
    static var name: String { get }

    /// The file extensions without a dot, the most common one first.
    static var fileExtensions: [String] { get }

    /// A description in a few words.
    static var summary: String { get }

    /// Whether the format is a track, which contains only fixes with a position. Default: `true`.
    static var isTrack: Bool { get }

    /// Whether the format uses the sentences of a fix. Default: `false`.
    static var wantsSentences: Bool { get }

    /// Whether a file has a title, a description and an author. Default: `false`.
    static var hasMetadata: Bool { get }

    /// Creates a writer at the start of a file.
    init()

    /// Sets the description of the whole file; called before everything else, if at all.
    mutating func describe(_ metadata: OutputMetadata)

    /// Sets the source of the fixes that follow.
    mutating func begin(_ source: OutputSource)

    /// Begins a segment, because there is a gap before the next fix.
    mutating func beginSegment()

    /// Writes a fix.
    mutating func write(_ fix: Fix)

    /// Writes the satellites in view, with the satellites used and the DOPs of the last fix.
    mutating func write(_ view: SatelliteView)

    /// Adds a sentence of the next fix that is written, or skipped by `skip`.
    mutating func add(_ sentence: RawSentence)

    /// Omits a fix and the sentences that belong to it.
    mutating func skip()

    /// The bytes that complete the file in its current state. Default: none.
    var closing: [UInt8] { get }

    /// Whether a file that has been cut off can be continued; see `resume`. Default: `true`.
    static var isContinuable: Bool { get }

    /// Continues a file of this format, given its first 4 KiB and its last 64 KiB, or fewer if it is shorter.
    ///
    /// Returns the number of last bytes to keep: complete lines without the closing ones. Returns `nil` if the
    /// file has another format.
    mutating func resume(head: [UInt8], end: [UInt8]) -> Int?

    /// Passes the output to `body`, then removes it.
    mutating func drain(_ body: (Span<UInt8>) throws -> Void) rethrows
}

extension OutputFormat {
    /// Default: `true`.
    public static var isTrack: Bool { true }

    /// Default: `false`.
    public static var wantsSentences: Bool { false }

    /// Default: `false`.
    public static var hasMetadata: Bool { false }

    /// Default: does nothing.
    public mutating func describe(_ metadata: OutputMetadata) {}

    /// Default: does nothing.
    public mutating func beginSegment() {}

    /// Default: does nothing.
    public mutating func write(_ view: SatelliteView) {}

    /// Default: does nothing.
    public mutating func add(_ sentence: RawSentence) {}

    /// Default: does nothing.
    public mutating func skip() {}

    /// Default: none.
    public var closing: [UInt8] { [] }

    /// Default: `true`.
    public static var isContinuable: Bool { true }
}
