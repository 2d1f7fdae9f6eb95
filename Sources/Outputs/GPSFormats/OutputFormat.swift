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
package protocol OutputFormat: OutputExtras, SendableMetatype {
    /// The format's names, and what its files can contain.
    static var traits: FormatTraits { get }

    /// Creates a writer at the start of a file with this description.
    init(_ metadata: OutputMetadata)

    /// Sets the source of the next fixes.
    mutating func begin(_ source: OutputSource)

    /// Begins a segment, because there is a gap before the next fix. Default: does nothing.
    mutating func beginSegment()

    mutating func write(_ fix: Fix)

    /// The bytes that must follow the output so far to make the file complete. Default: none.
    var closing: [UInt8] { get }

    /// Prepares this writer to continue an existing file. `head` contains the first 4 KiB of the
    /// file and `end` its last 64 KiB, or less if the file is shorter.
    ///
    /// Returns the number of bytes of `end` to keep: the complete lines, without the lines that
    /// only close the file. Returns `nil` if the file has another format. Default: `nil`, which is
    /// only right if `isContinuable` is `false`.
    mutating func resume(head: [UInt8], end: [UInt8]) -> Int?

    /// Passes the output to `body`, then removes it.
    mutating func drain(_ body: (Span<UInt8>) throws -> Void) rethrows
}

/// Functions that few formats need. By default, each does nothing.
package protocol OutputExtras {
    /// Writes a satellite view, which belongs to the last fix that was written.
    mutating func write(_ view: SatelliteView)

    /// Writes a waypoint. Returns `false` if the format cannot store it at this point of the file.
    mutating func write(_ waypoint: Waypoint) -> Bool

    /// Writes a route. Returns `false` if the format cannot store it at this point of the file.
    mutating func write(_ route: Route) -> Bool

    /// Returns whether a fix that has been written has an altitude, but the file cannot contain it.
    /// Default: whether only the altitude above the ellipsoid is known and the format cannot store
    /// it.
    func losesAltitude(of fix: Fix) -> Bool

    /// The bytes that replace the first bytes of the file once `closing` has completed it. Default:
    /// none.
    var head: [UInt8] { get }

    /// Returns why an existing file cannot be continued, in a few words after its name, if it has
    /// this format but `resume` returned `nil`. `head` contains the first 4 KiB of the file. Returns
    /// `nil` if there is no such reason.
    func obstacle(toResuming head: [UInt8]) -> String?

    // For a format that writes sentences:

    /// Adds a sentence that belongs to the next fix, for which `write` or `skip` is called later.
    mutating func add(_ sentence: RawSentence)

    /// Prepares for the call of `write` or `skip` for a fix. Added sentences that have the time of
    /// another epoch belong to the fix before or after this one. Called only if some fixes may be
    /// omitted, or if there are several files.
    mutating func prepare(for fix: Fix)

    /// Adds a sentence that belongs to the last fix, for which `write` or `skip` has been called.
    mutating func addLate(_ sentence: RawSentence)

    /// Omits a fix and its sentences.
    mutating func skip()

    /// Writes the sentences that wait for a fix, because no fix follows them soon.
    mutating func writeWaiting()

    /// Returns the writer of another file with the sentences that have been added for the next fix,
    /// which move to it; `nil` for a new writer.
    mutating func makeSuccessor() -> Self?
}

/// The names of a format, and what its files can contain.
package struct FormatTraits: Sendable {
    /// The format's name on the command line: `gpx`.
    package let name: String
    /// The file extensions without a dot, the most common one first.
    package let extensions: [String]
    /// A description in a few words, for `--help`.
    package let summary: String
    /// Whether the file is a track, so that only fixes with a position are written.
    package var isTrack = true
    /// Whether the format writes sentences, so that `add` is called for them.
    package var wantsSentences = false
    /// Whether the format writes the satellites in view.
    package var wantsSatellites = false
    /// Whether the format can store only fixes with a date.
    package var needsDate = false
    /// Returns whether a date is in the range of the format.
    package var canStore: @Sendable (UTCTime) -> Bool = { _ in true }
    /// Whether the format can store an altitude above the ellipsoid if the altitude above mean sea
    /// level is not known.
    package var storesEllipsoidalAltitude = true
    /// Whether the format can store waypoints and routes.
    package var hasWaypoints = false
    /// Whether waypoints must precede routes, and both must precede fixes.
    package var placesPrecedeFixes = false
    /// Whether a file has a title, a description and an author.
    package var hasMetadata = false
    /// Whether the first bytes of a file depend on the other bytes, such as the length of the file;
    /// see `head`.
    package var hasHead = false
    /// Whether a truncated file can be continued; see `resume`.
    package var isContinuable = true

    /// Returns whether the format can store the date of a fix. For a fix without a date, returns
    /// whether the format needs none.
    func hasDate(_ fix: Fix) -> Bool {
        guard let time = fix.time else { return !needsDate }
        return canStore(time)
    }
}

extension OutputFormat {
    /// The format's name on the command line: `gpx`.
    package static var name: String { traits.name }

    /// Creates a writer at the start of a file without a description.
    package init() { self.init(OutputMetadata()) }

    package mutating func beginSegment() {}

    package var closing: [UInt8] { [] }

    package mutating func resume(head: [UInt8], end: [UInt8]) -> Int? { nil }

    package func losesAltitude(of fix: Fix) -> Bool {
        !Self.traits.storesEllipsoidalAltitude && fix.altitude == nil
            && fix.ellipsoidalAltitude != nil
    }
}

extension OutputExtras {
    package mutating func write(_ view: SatelliteView) {}
    package mutating func write(_ waypoint: Waypoint) -> Bool { false }
    package mutating func write(_ route: Route) -> Bool { false }
    package var head: [UInt8] { [] }
    package func obstacle(toResuming head: [UInt8]) -> String? { nil }
    package mutating func add(_ sentence: RawSentence) {}
    package mutating func prepare(for fix: Fix) {}
    package mutating func addLate(_ sentence: RawSentence) {}
    package mutating func skip() {}
    package mutating func writeWaiting() {}
    package mutating func makeSuccessor() -> Self? { nil }
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
        return all.first { $0.traits.extensions.contains(end) }
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

/// A format that writes its output to a text buffer.
protocol TextFormat: OutputFormat {
    /// The output that has not been drained.
    var text: TextBuffer { get set }
}

extension TextFormat {
    /// Passes the output to `body`, then removes it.
    package mutating func drain(_ body: (Span<UInt8>) throws -> Void) rethrows {
        try text.drain(body)
    }
}
