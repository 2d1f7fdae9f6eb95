// SPDX-License-Identifier: MIT
public import GNSS
public import NMEA

/// A writer for a file format. To add a format, add a source file and a line in `OutputFormats`.
///
/// For each source, `begin` is called first, then the functions for its segments and fixes. The
/// output is buffered until `drain` passes it on. It should consist of complete lines, so that a
/// truncated file can be continued; see `resume`.
///
/// If the type is `Equatable`, long recordings are converted on several processor cores. Equal
/// writers must have the same buffered output and produce the same output from the same fixes.
public protocol OutputFormat: SendableMetatype {
    /// The format's name on the command line: `gpx`.
    static var name: String { get }

    /// The file extensions without a dot, the most common one first.
    static var fileExtensions: [String] { get }

    /// A description in a few words, for `--help`.
    static var summary: String { get }

    /// Whether the file is a track, so that only fixes with a position are written. Default:
    /// `true`.
    static var isTrack: Bool { get }

    /// Whether the format writes sentences, so that `add` is called for them. Default: `false`.
    static var wantsSentences: Bool { get }

    /// Whether the format can store only fixes with a date. Default: `false`.
    static var needsDate: Bool { get }

    /// Returns whether a date is in the range of the format. Default: `true`.
    static func canStore(_ date: UTCTime) -> Bool

    /// Whether the format can store an altitude above the ellipsoid if the altitude above mean sea
    /// level is not known. Default: `true`.
    static var storesEllipsoidalAltitude: Bool { get }

    /// Whether the format can store waypoints and routes. Default: `false`.
    static var hasWaypoints: Bool { get }

    /// Whether waypoints must precede routes, and both must precede fixes. Default: `false`.
    static var placesPrecedeFixes: Bool { get }

    /// Whether a file has a title, a description and an author. Default: `false`.
    static var hasMetadata: Bool { get }

    /// Whether the first bytes of a file depend on the other bytes, such as the length of the file;
    /// see `head`. Default: `false`.
    static var hasHead: Bool { get }

    /// Creates a writer at the start of a file.
    init()

    /// Sets the description of the whole file. Call this before any other function.
    mutating func describe(_ metadata: OutputMetadata)

    /// Returns the writer of another file, which begins with the next fix. Sentences that have been
    /// added for that fix move to the new writer. Default: a new writer.
    mutating func makeSuccessor() -> Self

    /// Sets the source of the next fixes.
    mutating func begin(_ source: OutputSource)

    /// Begins a segment, because there is a gap before the next fix.
    mutating func beginSegment()

    /// Writes the sentences that wait for a fix, because no fix follows them soon. Default: does
    /// nothing.
    mutating func writeWaiting()

    /// Writes a fix.
    mutating func write(_ fix: Fix)

    /// Returns whether a fix that has been written has an altitude, but the file cannot contain it.
    /// Default: whether only the altitude above the ellipsoid is known and the format cannot store
    /// it.
    func losesAltitude(of fix: Fix) -> Bool

    /// Writes a satellite view, which belongs to the last fix.
    mutating func write(_ view: SatelliteView)

    /// Writes a waypoint. Returns `false` if the format cannot store it at this point of the file.
    mutating func write(_ waypoint: Waypoint) -> Bool

    /// Writes a route. Returns `false` if the format cannot store it at this point of the file.
    mutating func write(_ route: Route) -> Bool

    /// Adds a sentence that belongs to the next fix, for which `write` or `skip` is called later.
    mutating func add(_ sentence: RawSentence)

    /// Prepares for the call of `write` or `skip` for a fix. Added sentences that have the time of
    /// another epoch belong to the fix before or after this one. Called only if some fixes may be
    /// omitted, or if there are several files. Default: does nothing.
    mutating func prepare(for fix: Fix)

    /// Adds a sentence that belongs to the last fix, for which `write` or `skip` has been called.
    mutating func addLate(_ sentence: RawSentence)

    /// Omits a fix, its sentences and its satellite view.
    mutating func skip()

    /// The bytes that must follow the output so far to make the file complete. Default: none.
    var closing: [UInt8] { get }

    /// The bytes that replace the first bytes of the file once `closing` has completed it. Default:
    /// none.
    var head: [UInt8] { get }

    /// Whether a truncated file can be continued; see `resume`. Default: `true`.
    static var isContinuable: Bool { get }

    /// Prepares this writer to continue an existing file. `head` contains the first 4 KiB of the
    /// file and `end` its last 64 KiB, or less if the file is shorter.
    ///
    /// Returns the number of bytes of `end` to keep: the complete lines, without the lines that
    /// only close the file. Returns `nil` if the file has another format. Default: `nil`.
    mutating func resume(head: [UInt8], end: [UInt8]) -> Int?

    /// Passes the output to `body`, then removes it.
    mutating func drain(_ body: (Span<UInt8>) throws -> Void) rethrows
}

extension OutputFormat {
    /// Default: `true` (only fixes with a position are written).
    public static var isTrack: Bool { true }

    /// Default: `false` (the format does not write sentences).
    public static var wantsSentences: Bool { false }

    /// Default: `false` (fixes without a date can be stored).
    public static var needsDate: Bool { false }

    /// Default: `true` for every date.
    public static func canStore(_ date: UTCTime) -> Bool { true }

    /// Default: `true` (altitudes above the ellipsoid can be stored).
    public static var storesEllipsoidalAltitude: Bool { true }

    /// Default: `false` (waypoints and routes cannot be stored).
    public static var hasWaypoints: Bool { false }

    /// Default: `false` (waypoints and routes need not precede fixes).
    public static var placesPrecedeFixes: Bool { false }

    /// Default: `false` (a file has no title, description and author).
    public static var hasMetadata: Bool { false }

    /// Default: `false` (the first bytes of a file are final).
    public static var hasHead: Bool { false }

    /// Default: a new writer.
    public mutating func makeSuccessor() -> Self { Self() }

    /// Default: whether only the altitude above the ellipsoid is known and the format cannot store
    /// it.
    public func losesAltitude(of fix: Fix) -> Bool {
        !Self.storesEllipsoidalAltitude && fix.altitude == nil && fix.ellipsoidalAltitude != nil
    }

    /// Default: does nothing.
    public mutating func describe(_ metadata: OutputMetadata) {}

    /// Default: does nothing.
    public mutating func beginSegment() {}

    /// Default: does nothing.
    public mutating func write(_ view: SatelliteView) {}

    /// Default: does nothing, and returns `false`.
    public mutating func write(_ waypoint: Waypoint) -> Bool { false }

    /// Default: does nothing, and returns `false`.
    public mutating func write(_ route: Route) -> Bool { false }

    /// Default: does nothing.
    public mutating func add(_ sentence: RawSentence) {}

    /// Default: does nothing.
    public mutating func prepare(for fix: Fix) {}

    /// Default: does nothing.
    public mutating func addLate(_ sentence: RawSentence) {}

    /// Default: does nothing.
    public mutating func skip() {}

    /// Default: does nothing.
    public mutating func writeWaiting() {}

    /// Default: no bytes.
    public var closing: [UInt8] { [] }

    /// Default: no bytes.
    public var head: [UInt8] { [] }

    /// Default: `true` (a truncated file can be continued).
    public static var isContinuable: Bool { true }

    /// Default: returns `nil`. A format whose `isContinuable` is `true` must implement it.
    public mutating func resume(head: [UInt8], end: [UInt8]) -> Int? { nil }
}
