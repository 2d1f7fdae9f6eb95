// SPDX-License-Identifier: MIT
import Delegation
import GNSS
import GPSCommands
import GPSConfiguration
import GPSCorrections
import GPSFiles
import GPSFormats
import GPSIO
import GPSReceivers
import GPSViews
import RTCM

/// Finds an output format by its name or by the extension of a file name.
enum FormatArgument {
    /// Returns a list of the formats for which `isShown` returns `true`, one per line, for
    /// `--help`.
    static func list(where isShown: (any OutputFormat.Type) -> Bool = { _ in true }) -> String {
        OutputFormats.all.filter(isShown).map { line($0.name, $0.traits.summary) }
            .joined(separator: "\n")
    }

    /// Returns a line of `--help`: the name, padded to the width of the longest format name, and
    /// the summary.
    static func line(_ name: String, _ summary: String) -> String {
        let width = (OutputFormats.names.map(\.count).max() ?? 0) + 2
        return "  " + name.trailing(width) + summary
    }

    /// Returns the output format with this name. Throws a `UsageError` if there is none.
    static func format(_ name: String) throws -> any OutputFormat.Type {
        guard let format = OutputFormats.named(name) else {
            if TimeArgument.looksLikeTime(name) {
                throw UsageError(
                    "'\(name)' is a time, but --to selects the format: use --before \(name)")
            }
            throw UsageError.unknown("format", name, known: OutputFormats.names)
        }
        return format
    }

    /// Throws a `UsageError` if additional columns are requested for a format other than CSV.
    static func refuse(_ columns: OutputColumns, for format: String?) throws {
        guard columns != [], format != CSVFormat.name else { return }
        throw UsageError(
            "--columns is for csv"
                + (format.map { ": \($0) has no columns" } ?? ": select csv as the format"))
    }

    /// Returns whether a path ends with `.kmz` (KML in a zip archive).
    static func isKMZ(_ path: String) -> Bool { path.lowercased().hasSuffix(".kmz") }

    /// Throws a `UsageError` if a KMZ file would contain a format other than KML, or be compressed
    /// again.
    private static func checkKMZ(_ path: String, _ format: any OutputFormat.Type) throws {
        guard isKMZ(path) || isKMZ(CompressionFormat.plainName(path)) else { return }
        guard isKMZ(path) else {
            throw UsageError("'.kmz' files are already compressed: end the name with .kmz")
        }
        guard format == KMLFormat.self else {
            throw UsageError("'.kmz' files contain KML, not \(format.name): leave out the format")
        }
    }

    /// Returns the format `named` or, if that is `nil`, the format that the extension of `path`
    /// selects. Throws a `UsageError` if neither selects a format. `option` is the name of the
    /// option, for the error message.
    static func format(
        _ named: (any OutputFormat.Type)?, path: String?, option: String
    ) throws -> any OutputFormat.Type {
        if let path {
            try refuseFolder(path, example: "track.\(named?.traits.extensions.first ?? "gpx")")
        }
        let plain = path.map(CompressionFormat.plainName)
        if let format = named ?? plain.flatMap({ OutputFormats.of(path: $0) }) {
            if let path { try checkKMZ(path, format) }
            return format
        }
        let known = OutputFormats.names.joined(separator: ", ")
        guard let path else {
            throw UsageError("-o FILE or \(option) FORMAT is missing (known formats: \(known))")
        }
        throw UsageError(
            "the name '\(path)' does not select a format\(suggestion(for: plain ?? path)): end it with "
                + "\(fileEndings()), or add \(option) FORMAT (known formats: \(known))")
    }

    /// Returns the question whether another extension of a path was meant, in parentheses; an empty
    /// string if no extension is similar.
    private static func suggestion(for path: String) -> String {
        let parts = path.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count > 1, let last = parts.last else { return "" }
        let known = OutputFormats.all.flatMap { $0.traits.extensions }
        return UsageError.nearest(String(last), of: known).map {
            " (did you mean '\((parts.dropLast() + [$0[...]]).joined(separator: "."))'?)"
        } ?? ""
    }

    /// Throws a `UsageError` if a path is that of a folder. `example` is the name of a file in it.
    static func refuseFolder(_ path: String, example: String) throws {
        guard Folder.exists(path) || path.hasSuffix("/") else { return }
        let folder = path.hasSuffix("/") ? path : path + "/"
        throw UsageError("\(path) is a folder: name a file in it, such as \(folder)\(example)")
    }

    /// Returns a list of file extensions for an error message: those of the formats for which
    /// `isShown` returns `true`, and those that select a compression.
    private static func fileEndings(where isShown: (any OutputFormat.Type) -> Bool = { _ in true })
        -> String
    {
        let endings = OutputFormats.all.filter(isShown).flatMap { $0.traits.extensions }.map {
            ".\($0)"
        }
        let compressed = CompressionFormat.allCases.map(\.fileEnding)
        return "one of \(endings.joined(separator: ", ")) (to compress the file, append "
            + "\(compressed.joined(separator: " or ")))"
    }

    /// The extensions of compressed files, archives and track formats that cannot be written.
    private static let foreign: Set<String> = [
        "bz2", "xz", "lz", "lzma", "lz4", "br", "z", "zip", "7z", "rar", "tar", "tgz", "gzip",
        "zstd",
        "shp",
    ]

    /// Throws a `UsageError` if the extension belongs to a format that cannot be written. The error
    /// lists the extensions of the formats for which `isShown` returns `true`.
    static func refuseForeign(
        _ path: String, endingWith isShown: (any OutputFormat.Type) -> Bool = { _ in true }
    ) throws {
        let isForeignKMZ = isKMZ(path) && !isShown(KMLFormat.self)
        guard let dot = path.lastIndex(of: "."),
            isForeignKMZ || foreign.contains(path[path.index(after: dot)...].lowercased())
        else { return }
        throw UsageError(
            "'\(path[dot...])' files cannot be written: end the name with "
                + fileEndings(where: isShown))
    }
}

extension CommandOption {
    /// Returns the option `--columns`, a list of additional columns of CSV.
    static func columns(
        _ columns: any WritableKeyPath<C, OutputColumns> & Sendable
    ) -> CommandOption {
        let names = OutputColumns.named.map(\.name)
        return CommandOption(
            "columns", value: "LIST", "Additional columns of csv: \(names.joined(separator: ", "))"
        ) { command, list in
            for name in list.split(whereSeparator: { ",+".contains($0) }) {
                guard let named = OutputColumns.named.first(where: { $0.name == name }) else {
                    throw UsageError.unknown("column", String(name), known: names)
                }
                command[keyPath: columns].insert(named.columns)
            }
        }
    }
}

/// The command-line options of plots.
struct PlotArguments: Sendable {
    var file: PlotFile?
    var settings = PlotSettings()

    /// The units; `nil` if they were not given.
    private(set) var units: Units? {
        didSet { settings.units = units ?? settings.units }
    }

    /// Whether any of the options was given.
    var isGiven: Bool { file != nil || units != nil || settings.truth != nil }

    /// Returns the options. `units` is the help text of `--units`.
    static func options(units: String) -> [CommandOption<PlotArguments>] {
        [
            .init(
                "plot", \.file, .init("FILE") { try PlotFile($0) },
                "At exit, draw all plots on one sheet (.png or .svg)"
            ).once(),
            .init("units", \.units, .choice("UNITS", among: Units.allCases) { $0.name }, units),
            .init(
                "truth", \.settings.truth, .coordinate,
                "The receiver's true position, for the scatter plot"),
        ]
    }

    /// Creates the collector of the plot's data; returns `nil` without `--plot`. More than `gap`
    /// seconds between two fixes interrupt a line; `nil` for the default.
    ///
    /// - Throws: `UsageError` if `--truth` is given without `--plot`; `CommandFailure` if the plot
    ///   cannot be written.
    func plotter(gap: Double? = nil) throws -> Plotter? {
        guard let file else {
            guard settings.truth != nil else { return nil }
            throw UsageError("--truth is for a plot: add --plot FILE")
        }
        var settings = settings
        if let gap { settings.gap = gap }
        return try Plotter(file, settings)
    }
}

/// The options of `record` and `monitor --record` that describe the recorded file.
struct RecordArguments {
    /// The name of the format that stores the receiver's bytes unchanged.
    static let raw = "raw"
    /// The names of the formats that can be recorded, because their files can be continued after an
    /// interruption.
    static let formats =
        [raw] + OutputFormats.all.filter { $0.traits.isContinuable }.map { $0.name }
        + RINEXKind.allCases.map(\.rawValue)

    /// The path of the file; `nil` for a default name that contains the time.
    var output: String?
    /// When to begin a new file; `nil` for never.
    var rotation: Rotation?
    /// Whether to compress the file even if its extension does not select compression.
    var isCompressed = false
    /// Additional columns of CSV.
    var columns: OutputColumns = []
    /// The selection of the fixes that are written.
    var selection = FixSelection()

    /// The texts in the header of a RINEX file.
    var rinex = RINEXArguments()

    private var format: (any OutputFormat.Type)?
    private var rinexKind: RINEXKind?
    private var isRaw = false

    /// Sets the format by its name. Throws a `UsageError` if it is unknown or cannot be recorded.
    mutating func setFormat(_ name: String) throws {
        isRaw = name == Self.raw
        rinexKind = RINEXKind(rawValue: name)
        guard !isRaw, rinexKind == nil else { return }
        guard let format = OutputFormats.named(name) else {
            throw UsageError.unknown("format", name, known: Self.formats)
        }
        self.format = try Self.checked(format)
    }

    private static func checked(
        _ format: any OutputFormat.Type
    ) throws -> any OutputFormat.Type {
        if format.traits.isContinuable { return format }
        throw UsageError(
            "\(format.name) cannot be recorded, because a file in this format cannot be continued "
                + "after an interruption: record \(raw), for example with -o trip.nmea, and "
                + "convert that file (formats that can be recorded: \(formats.joined(separator: ", ")))"
        )
    }

    /// Returns the description of the file to record to.
    ///
    /// - Throws: `UsageError` if its name is not suitable, or if other options do not apply to its
    ///   format.
    func file() throws -> RecordedFile {
        let output =
            self.output ?? rinexKind.map { "gpsbridge." + $0.fileEnding } ?? Self.name(for: format)
        guard output != "-" else {
            throw UsageError(
                "record cannot write to standard output, because it continues its file after an interruption: use "
                    + "`gpsbridge monitor --format nmea`")
        }
        try FormatArgument.refuseFolder(output, example: "track.nmea")
        try FormatArgument.refuseForeign(output) { $0.traits.isContinuable }
        let named = CompressionFormat(path: output)
        let compression = named ?? (isCompressed ? .zstd : nil)
        let kind =
            rinexKind ?? (isRaw || format != nil ? nil : RINEXConversion.kind(ofOutput: output))
        let format = kind == nil ? try chosenFormat(CompressionFormat.plainName(output)) : nil
        if kind == nil { try rinex.refuse() }
        let hasGap = selection.gap != FixSelection().gap
        if format == nil, !selection.isEverything || hasGap {
            throw UsageError(
                "--every, --distance and --gap do not apply to \(kind?.rawValue ?? Self.raw): select another format with "
                    + "--format")
        }
        // With --every or --distance, the first fix after a gap is written in any format.
        if let format, !format.traits.isTrack, hasGap, !selection.isThinned {
            throw UsageError(
                "--gap has no effect, because \(format.name) has no segments: leave it out")
        }
        try FormatArgument.refuse(columns, for: format?.name ?? kind?.rawValue ?? Self.raw)
        return RecordedFile(
            path: named == nil ? output + (compression?.fileEnding ?? "") : output,
            isNamedByTime: self.output == nil, format: format,
            rinex: kind.map { ($0, rinex.description) }, compression: compression,
            rotation: rotation, selection: selection, columns: columns)
    }

    /// Returns the default name of the recorded file, before the time is inserted.
    private static func name(for format: (any OutputFormat.Type)?) -> String {
        "gpsbridge." + (format?.traits.extensions.first ?? "nmea")
    }

    /// Returns the format that an option or the extension selects; `nil` for raw bytes.
    private func chosenFormat(_ output: String) throws -> (any OutputFormat.Type)? {
        if isRaw || format != nil { return format }
        guard let format = OutputFormats.of(path: output), format != NMEAFormat.self else {
            return nil
        }
        return try Self.checked(format)
    }
}

/// Options that select fixes. Commands that write fixes share them.
enum SelectionArguments {
    /// The options that select fixes by time, distance or quality.
    static let options: [CommandOption<FixSelection>] =
        choosing + thinning + discarding

    private static let choosing: [CommandOption<FixSelection>] = [
        .init(
            "after", \.start, .time,
            "Omit fixes before TIME, such as 2026-03-21T12:00:00Z or 2026-03-21"
        ).formerly("from"),
        .init("before", \.end, .time, "Omit fixes at TIME or later").formerly("to-time"),
        .init(
            "simplify", \.tolerance, .metres(0.001...1e6),
            "Omit fixes within this distance of the line between the fixes that are kept"),
    ]

    /// The options that omit fixes by their quality.
    private static let discarding: [CommandOption<FixSelection>] = [
        .init(
            "max-hdop", \.maximumHDOP, .number("N", 0...100),
            "Omit fixes whose HDOP is unknown or larger than N"),
        .init(
            "max-pdop", \.maximumPDOP, .number("N", 0...100),
            "Omit fixes whose PDOP is unknown or larger than N"),
        .init(
            "min-satellites", \.minimumSatellites, .count,
            "Omit fixes that use fewer than N satellites"),
        .init(
            "max-accuracy", \.maximumAccuracy, .metres(0...1e7),
            "Omit fixes whose horizontal accuracy is unknown or larger than this"),
        .init(
            "quality", \.qualities,
            .set("NAMES", among: FixQuality.allCases, called: "quality") { "\($0.name)" },
            "Keep only fixes of these qualities, such as differential,rtk_fixed"),
    ]

    /// The options that can be applied while recording, because they depend only on the previous
    /// fix.
    static let thinning: [CommandOption<FixSelection>] = [
        .init("every", \.interval, .seconds(), "Minimum time between written fixes"),
        .init(
            "distance", \.distance, .metres(0.001...1e7),
            "Minimum distance between written fixes, such as 50m, 100ft or 0.5nmi"),
        .init(
            "gap", \.gap, .seconds(), "Begin a new segment after a gap of this length (default: 60)"
        ),
    ]
}

/// The value of `--split`: `gap=10min`, `day` or `distance=10km`.
enum SplitArgument {
    /// Returns the rule for splitting a track. Throws a `UsageError` if the text is not valid.
    static func rule(_ text: String) throws -> TrackSplit {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let value = parts.count > 1 ? String(parts[1]) : nil
        switch (parts[0], value) {
        case ("day", nil): return .day
        case ("gap", let value?): return .gap(try ArgumentForm.seconds().parse(value, "gap"))
        case ("distance", let value?):
            guard let metres = LengthArgument.metres(value), 1...1e8 ~= metres else {
                throw UsageError(
                    "not a length: '\(value)' (expected 1 m to 100000 km, such as 500m, 10km or "
                        + "5nmi)")
            }
            return .distance(metres)
        default:
            throw UsageError(
                "not a value for --split: '\(text)'"
                    + UsageError.suggestion(String(parts[0]), of: ["day", "gap", "distance"])
                    + " (expected day, gap=TIME or distance=LENGTH, "
                    + "for example gap=10min or distance=10km)")
        }
    }
}

extension ArgumentForm<UTCTime> {
    /// A time in ISO 8601; see `TimeArgument`.
    static var time: ArgumentForm {
        ArgumentForm(
            "TIME", not: "a time",
            expected: "a time such as 2026-03-21T12:00:00Z, or a date alone, such as 2026-03-21",
            TimeArgument.time)
    }
}

/// Parses a time in ISO 8601, such as `2026-03-21T12:00:00Z`. Fractions of a second and offsets are
/// allowed. Seconds may be omitted. A date alone means midnight. The time is UTC unless an offset
/// is given.
enum TimeArgument {
    /// Returns the time; `nil` for other text.
    static func time(_ text: String) -> UTCTime? {
        UTCTime(iso8601: completed(withoutZoneName(text)))
    }

    /// Returns whether a string begins with a date.
    static func looksLikeTime(_ text: String) -> Bool { begins(text, as: "0000-00-00") }

    /// Removes the zone name from a time such as `2026-03-21 12:00 UTC`, as printed by `date -u`
    /// and the screen.
    private static func withoutZoneName(_ text: String) -> String {
        guard let zone = ["UTC", "GMT"].first(where: { text.hasSuffix($0) }) else { return text }
        let rest = text.dropLast(zone.count)
        return String(rest.hasSuffix(" ") ? rest.dropLast() : rest)
    }

    /// Appends missing seconds, or midnight to a date.
    private static func completed(_ text: String) -> String {
        if text.count == 10, looksLikeTime(text) { return text + "T00:00:00" }
        let minutes = text.prefix(16)
        guard begins(text, as: "0000-00-00T00:00") || begins(text, as: "0000-00-00 00:00") else {
            return text
        }
        let rest = text.dropFirst(minutes.count)
        return "\(minutes)\(rest.hasPrefix(":") ? "" : ":00")\(rest)"
    }

    /// Returns whether `text` begins with `pattern`. In the pattern, 0 matches any digit.
    private static func begins(_ text: String, as pattern: String) -> Bool {
        text.count >= pattern.count
            && zip(text, pattern).allSatisfy { character, expected in
                expected == "0" ? ("0"..."9").contains(character) : character == expected
            }
    }
}

extension WarmStartArguments {
    /// Ephemerides that do not come from receivers, and the subscriptions to streams that have them.
    typealias Ephemerides = (collection: OtherEphemerides, streams: [ScopedSubscription])

    /// Collects the ephemerides of `--assist`, and those in streams of corrections while the result
    /// exists. Returns `nil` if there are none.
    func ephemerides(of feeds: [CorrectionFeed]) -> Ephemerides? {
        guard isActive, assist != nil || !feeds.isEmpty else { return nil }
        let collection = ephemerides()
        return (collection, collection.receive(from: feeds))
    }
}

extension OtherEphemerides {
    /// Collects the ephemerides in streams of corrections until the result is released.
    func receive(from feeds: [CorrectionFeed]) -> [ScopedSubscription] {
        feeds.map { feed in
            feed.messages.observe { message in
                guard message.content == .ephemerides else { return }
                // The payload is between the head and the checksum.
                self.add(rtcm: Array(message.bytes.dropFirst(3).dropLast(3)))
            }.scoped
        }
    }
}
