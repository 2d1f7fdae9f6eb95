// SPDX-License-Identifier: MIT
public import GNSS
public import NMEA

/// A file format in which fixes are written. Adding one is a file and a line in `OutputFormats`.
///
/// A source begins, then its segments and fixes follow, then the next source. Output waits in the format until
/// `drain` passes it on. It consists of whole lines, so that a file that was cut off can be continued; see
/// `resume`.
///
/// Long recordings are converted on several processor cores to a format that is `Equatable`: equal writers write the
/// same from now on, and the same waits in them.
public protocol OutputFormat: SendableMetatype {
    /// Its name on the command line: `gpx`.
    static var name: String { get }

    /// How its files end, without a dot; the first is the usual one.
    static var fileExtensions: [String] { get }

    /// A description in a few words.
    static var summary: String { get }

    /// Whether it is a track, to which only fixes with a position are written. Default: `true`.
    static var isTrack: Bool { get }

    /// Whether it uses the sentences that fixes come from. Default: `false`.
    static var wantsSentences: Bool { get }

    /// Whether a file has a title, a description and an author. Default: `false`.
    static var hasMetadata: Bool { get }

    /// Creates a writer at the start of a file.
    init()

    /// Sets the description of the whole file; called before anything is written, if at all.
    mutating func describe(_ metadata: OutputMetadata)

    /// Sets the source of the fixes that follow.
    mutating func begin(_ source: OutputSource)

    /// Begins a segment: there is a gap before the next fix.
    mutating func beginSegment()

    /// Writes a fix.
    mutating func write(_ fix: Fix)

    /// Writes the satellites in view, with the satellites used and the dilutions of the last fix.
    mutating func write(_ view: SatelliteView)

    /// Adds a sentence, which belongs to the next fix that is written, or left out by `skip`.
    mutating func add(_ sentence: RawSentence)

    /// Leaves out a fix, and with it what belongs to it.
    mutating func skip()

    /// The bytes that complete the file as it stands. Default: none.
    var closing: [UInt8] { get }

    /// Whether a file that has been cut off can be continued; see `resume`. Default: `true`.
    static var isContinuable: Bool { get }

    /// Continues a file of this format, given its first and last bytes: 4 KiB and 64 KiB of them, or
    /// as many as there are.
    ///
    /// Returns how many of the last bytes are to be kept: whole lines, without the closing ones. `nil`
    /// where the file is of another kind.
    mutating func resume(head: [UInt8], end: [UInt8]) -> Int?

    /// Passes the text written so far to `body`, then removes it.
    mutating func drain(_ body: (Span<UInt8>) throws -> Void) rethrows
}

extension OutputFormat {
    /// Default: `true`.
    public static var isTrack: Bool { true }

    /// Default: `false`.
    public static var wantsSentences: Bool { false }

    /// Default: `false`.
    public static var hasMetadata: Bool { false }

    /// Does nothing.
    public mutating func describe(_ metadata: OutputMetadata) {}

    /// Nothing.
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
