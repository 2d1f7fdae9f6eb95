// SPDX-License-Identifier: MIT
public import GNSS
package import NMEA

/// A writer for a file format. To add a format, add a source file and a line in `OutputFormats`.
///
/// For each source, `begin` is called first, then the functions for its segments and fixes. The
/// output is buffered until `drain` passes it on. It should consist of complete lines, so that a
/// truncated file can be continued; see `resume`.
///
/// If the type is `Equatable`, long recordings are converted on several processor cores. Equal
/// writers must have the same buffered output and produce the same output from the same fixes.
package protocol OutputFormat: SendableMetatype {
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

    /// Returns why an existing file cannot be continued, in a few words after its name, if it has
    /// this format but `resume` returned `nil`. `head` contains the first 4 KiB of the file. Returns
    /// `nil` if there is no such reason. Default: `nil`.
    func obstacle(toResuming head: [UInt8]) -> String?

    /// Passes the output to `body`, then removes it.
    mutating func drain(_ body: (Span<UInt8>) throws -> Void) rethrows
}

extension OutputFormat {
    /// Default: `true` (only fixes with a position are written).
    package static var isTrack: Bool { true }

    /// Default: `false` (the format does not write sentences).
    package static var wantsSentences: Bool { false }

    /// Default: `false` (fixes without a date can be stored).
    package static var needsDate: Bool { false }

    /// Default: `true` for every date.
    package static func canStore(_ date: UTCTime) -> Bool { true }

    /// Default: `true` (altitudes above the ellipsoid can be stored).
    package static var storesEllipsoidalAltitude: Bool { true }

    /// Default: `false` (waypoints and routes cannot be stored).
    package static var hasWaypoints: Bool { false }

    /// Default: `false` (waypoints and routes need not precede fixes).
    package static var placesPrecedeFixes: Bool { false }

    /// Default: `false` (a file has no title, description and author).
    package static var hasMetadata: Bool { false }

    /// Default: `false` (the first bytes of a file are final).
    package static var hasHead: Bool { false }

    /// Default: a new writer.
    package mutating func makeSuccessor() -> Self { Self() }

    /// Default: whether only the altitude above the ellipsoid is known and the format cannot store
    /// it.
    package func losesAltitude(of fix: Fix) -> Bool {
        !Self.storesEllipsoidalAltitude && fix.altitude == nil && fix.ellipsoidalAltitude != nil
    }

    /// Default: does nothing.
    package mutating func describe(_ metadata: OutputMetadata) {}

    /// Default: does nothing.
    package mutating func beginSegment() {}

    /// Default: does nothing.
    package mutating func write(_ view: SatelliteView) {}

    /// Default: does nothing, and returns `false`.
    package mutating func write(_ waypoint: Waypoint) -> Bool { false }

    /// Default: does nothing, and returns `false`.
    package mutating func write(_ route: Route) -> Bool { false }

    /// Default: does nothing.
    package mutating func add(_ sentence: RawSentence) {}

    /// Default: does nothing.
    package mutating func prepare(for fix: Fix) {}

    /// Default: does nothing.
    package mutating func addLate(_ sentence: RawSentence) {}

    /// Default: does nothing.
    package mutating func skip() {}

    /// Default: does nothing.
    package mutating func writeWaiting() {}

    /// Default: no bytes.
    package var closing: [UInt8] { [] }

    /// Default: no bytes.
    package var head: [UInt8] { [] }

    /// Default: `true` (a truncated file can be continued).
    package static var isContinuable: Bool { true }

    /// Default: returns `nil`. A format whose `isContinuable` is `true` must implement it.
    package mutating func resume(head: [UInt8], end: [UInt8]) -> Int? { nil }

    /// Default: returns `nil`.
    package func obstacle(toResuming head: [UInt8]) -> String? { nil }
}

/// The end of a file that is to be continued. The file may have been truncated at any byte, so
/// this type determines which of the last lines are complete and are kept.
struct FileEnd {
    /// The number of bytes to keep; they are complete lines.
    private(set) var kept: Int
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        kept = bytes.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    }

    /// The last of the lines to keep, without its line end; `nil` if there is none.
    var lastLine: ArraySlice<UInt8>? {
        guard kept > 0 else { return nil }
        let start = bytes[..<(kept - 1)].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        return bytes[start..<(kept - 1)]
    }

    /// Returns whether the last of the lines to keep begins with a text.
    func lastLineBegins(_ text: StaticString) -> Bool {
        let line = lastLine
        return text.withUTF8Buffer { line?.starts(with: $0) ?? false }
    }

    /// Removes the last line from the lines to keep.
    mutating func dropLine() {
        guard let line = lastLine else { return }
        kept = line.startIndex
    }

    /// Returns the segment number that a text contains; `nil` if the text is not a number, or if
    /// the number is too large for any recording.
    static func segment(_ text: ArraySlice<UInt8>) -> Int? {
        Int32(String(decoding: text, as: UTF8.self)).map { Int($0) }
    }

    /// Returns the number of bytes of `end`, the last bytes of a file, to keep when the file is
    /// continued; see `OutputFormat.resume`. Returns `nil` if the file does not begin with `start`
    /// or cannot be continued.
    ///
    /// `keep` removes lines that must be rewritten, and returns whether the file can be continued
    /// after the remaining lines. It is not called if the file is shorter than `start`; then
    /// nothing is kept.
    static func resume(
        _ head: [UInt8], _ end: [UInt8], start: String,
        keep: (inout FileEnd) -> Bool = { _ in true }
    ) -> Int? {
        guard head.starts(with: start.utf8) else {
            return start.utf8.starts(with: head) ? 0 : nil
        }
        var lines = FileEnd(end)
        return keep(&lines) ? lines.kept : nil
    }
}

/// The output formats. Help, messages and tests use this list.
public enum OutputFormats {
    /// All formats, in the order shown by help.
    package static let all: [any OutputFormat.Type] = [
        GPSDFormat.self,
        GPXFormat.self,
        KMLFormat.self,
        TCXFormat.self,
        FITFormat.self,
        IGCFormat.self,
        GeoJSONFormat.self,
        GeoJSONLineFormat.self,
        GeoJSONSeqFormat.self,
        CSVFormat.self,
        NMEAFormat.self,
    ]

    /// The names of all formats.
    public static var names: [String] { all.map { $0.name } }

    /// Returns the format with a name; `nil` for an unknown name.
    package static func named(_ name: String) -> (any OutputFormat.Type)? {
        all.first { $0.name == name }
    }

    /// Returns the format for the extension of a path; `nil` for an unknown extension.
    package static func of(path: String) -> (any OutputFormat.Type)? {
        let parts = path.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count > 1, let end = parts.last?.lowercased() else { return nil }
        return all.first { $0.fileExtensions.contains(end) }
    }
}

/// The description of a whole file, for formats that can store one.
package struct OutputMetadata: Hashable, Sendable {
    /// The title of the document.
    package var title: String?
    /// A description of the content.
    package var description: String?
    /// The author's name.
    package var author: String?
    /// The additional columns of a table.
    package var columns: OutputColumns = []

    /// Creates empty metadata.
    package init() {}

    /// Whether title, description and author are all missing.
    package var isEmpty: Bool { title == nil && description == nil && author == nil }
}

/// Groups of additional columns of a table.
package struct OutputColumns: OptionSet, Hashable, Sendable {
    /// One bit for each group.
    package let rawValue: UInt8

    /// Creates a set from its bits.
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The values of a vessel's instruments: depth, wind, water, log, rudder and engines.
    package static let instruments = OutputColumns(rawValue: 1)
    /// The result of a vote of several receivers, without their names.
    package static let vote = OutputColumns(rawValue: 2)
    /// The receiver's reports about its signals, its antenna and its time.
    package static let receiver = OutputColumns(rawValue: 4)

    /// The groups with their names on the command line.
    package static let named: [(name: String, columns: OutputColumns)] = [
        ("instruments", .instruments), ("receiver", .receiver), ("vote", .vote),
    ]
}

/// The source of fixes as written to files: its name and its origin.
public struct OutputSource: Hashable, Sendable {
    /// The name of the receiver or the recording.
    public var name: String

    /// Whether the fixes are live, recorded, simulated or of unknown origin.
    public var origin: DataOrigin

    /// The name of the track that the next fixes belong to; `nil` if the recording does not name it.
    package var track: String?

    /// The name of a track: its own name or, if there is none, that of the source.
    var trackName: String { track ?? name }

    /// Creates a source.
    public init(name: String = "", origin: DataOrigin = .live) {
        self.name = name
        self.origin = origin
    }

    /// Creates a source from the name with which it was opened. For a recording, the folder is
    /// removed, because it is private.
    package init(opened name: String, origin: DataOrigin) {
        self.init(name: Self.title(name, origin), origin: origin)
    }

    /// Returns a title for each source: the name of a recording without its folder. The element is
    /// `nil` for other sources, and for recordings whose names are not unique.
    package static func titles(of sources: [OutputSource]) -> [String?] {
        let names = sources.map { title($0.name, $0.origin) }
        return zip(sources, names).map { source, name in
            source.origin == .replay && names.count { $0 == name } == 1 ? name : nil
        }
    }

    /// Returns the name as written to files.
    private static func title(_ name: String, _ origin: DataOrigin) -> String {
        let name = FileName.shown(name)
        guard origin == .replay else { return name }
        return name.split(separator: "/").last.map(String.init) ?? name
    }

    /// Whether all fixes are simulated.
    var isSimulated: Bool { origin == .simulated }

    /// Returns whether a fix is simulated: its source is simulated, or the receiver marked the fix.
    package func isSimulated(_ fix: Fix) -> Bool {
        isSimulated || fix.quality == .simulated
    }

    /// Returns the word for the origin in files.
    func originName(isSimulated: Bool) -> String {
        (isSimulated ? .simulated : origin).rawValue
    }
}

/// A named place in a file, such as a harbour.
package struct Waypoint: Hashable, Sendable {
    /// The position in degrees (WGS 84).
    package var coordinate: Coordinate
    /// The altitude in metres above mean sea level; `nil` if unknown.
    package var altitude: Double?
    /// The time at which the waypoint was created; `nil` if unknown.
    package var time: UTCTime?
    /// The name; `nil` if there is none.
    package var name: String?
    /// The description or, if there is none, the comment; `nil` if there is neither.
    package var description: String?
    /// The name of the symbol; `nil` if there is none.
    package var symbol: String?

    /// Creates a waypoint with only a position.
    package init(_ coordinate: Coordinate) {
        self.coordinate = coordinate
    }
}

/// A list of waypoints to be reached in order.
package struct Route: Hashable, Sendable {
    /// The name; `nil` if there is none.
    package var name: String?
    /// The description; `nil` if there is none.
    package var description: String?
    /// The waypoints, in order.
    package var points: [Waypoint] = []

    /// Creates an empty route.
    package init() {}
}
