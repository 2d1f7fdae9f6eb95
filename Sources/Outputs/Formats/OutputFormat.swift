// SPDX-License-Identifier: MIT
public import GNSS
public import NMEA

/// One way to write fixes down. Adding one is a file in this folder and a line in `OutputFormats`.
///
/// A format is told of a source first, then of that source's segments and fixes, and so on with the
/// next source. What it has written waits until `drain` hands it over. All that it writes are whole
/// lines, so that a file that was cut off can be mended; see `resume`.
public protocol OutputFormat: SendableMetatype {
    /// The word that asks for it: `gpx`.
    static var name: String { get }

    /// How its files end, without a dot; the first is the usual one.
    static var fileExtensions: [String] { get }

    /// What it is, in a few words.
    static var summary: String { get }

    /// Whether it draws where somebody went: such a format is given positions only.
    static var isTrack: Bool { get }

    /// Whether it is given the sentences that fixes come from.
    static var wantsSentences: Bool { get }

    /// Makes a writer at the start of a file.
    init()

    /// Sets the description of the whole file; called before anything is written, if at all.
    mutating func describe(_ metadata: OutputMetadata)

    /// Takes note of where the fixes that follow come from.
    mutating func begin(_ source: OutputSource)

    /// Takes note that the next fix does not follow on the one before.
    mutating func beginSegment()

    /// Writes a fix.
    mutating func write(_ fix: Fix)

    /// Writes the satellites in view, with the dilutions of the last fix.
    mutating func write(_ view: SatelliteView, dilution: DilutionOfPrecision)

    /// Writes the dilutions of the last fix, where no satellites were sent with them.
    mutating func writeDilution(of fix: Fix)

    /// Takes a sentence, which belongs to the next fix that is written, or left out by `skip`.
    mutating func take(_ sentence: RawSentence)

    /// Leaves out a fix, and with it what belongs to it.
    mutating func skip()

    /// What has to follow now for the file to be whole.
    var closing: [UInt8] { get }

    /// Whether a file that has been cut off can be continued; see `resume`.
    static var isContinuable: Bool { get }

    /// Goes on with a file of its own, of which it is given the first and the last bytes: 4 KiB and
    /// 64 KiB of them, or as many as there are.
    ///
    /// Returns how many of the last bytes are to be kept: whole lines, without the closing ones. `nil`
    /// where the file is of another kind.
    mutating func resume(head: [UInt8], end: [UInt8]) -> Int?

    /// Hands over what was written, and forgets it.
    mutating func drain(_ body: (Span<UInt8>) throws -> Void) rethrows
}

extension OutputFormat {
    /// Most are.
    public static var isTrack: Bool { true }

    /// Most are not.
    public static var wantsSentences: Bool { false }

    /// Does nothing.
    public mutating func describe(_ metadata: OutputMetadata) {}

    /// Does nothing.
    public mutating func writeDilution(of fix: Fix) {}

    /// Nothing.
    public mutating func beginSegment() {}

    /// Nothing.
    public mutating func write(_ view: SatelliteView, dilution: DilutionOfPrecision) {}

    /// Nothing.
    public mutating func take(_ sentence: RawSentence) {}

    /// Nothing.
    public mutating func skip() {}

    /// Nothing.
    public var closing: [UInt8] { [] }

    /// Most can.
    public static var isContinuable: Bool { true }
}
