// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats
import GPSIO
import GPSReceivers
import GPSViews
import Glibc

/// Converts recordings and tracks to another format, as fast as possible.
struct ConvertCommand: Command {
    static let name = "convert"
    static let summary = "Convert recordings and tracks to another format, or to a plot."
    static let argumentSyntax = "FILE...|-"

    static var details: String {
        """
        FILE is NMEA, GPX, KML, TCX, FIT, IGC, GeoJSON, CSV or gpsd's JSON, and may be compressed with gzip or zstd. It is \
        recognised by its content, not by its name. Without --to, the extension of the output's name selects the format; .gz or \
        .zst after it (walk.gpx.gz) compresses the output, and .kmz is KML in a zip archive. Formats:
        \(FormatArgument.list())
        \(RINEXKind.allCases.map { FormatArgument.line($0.rawValue, $0.summary) }.joined(separator: "\n"))

        Several files are converted one after the other. Long files, and many files, are converted on all \
        processor cores (--jobs) if the format is json, gpx, csv, nmea, igc or geojsonseq, without --simplify, --every, --split, --merge, \
        --distance, --plot, --summary and --stats; the output is the same. A track begins a new segment where the \
        fix is lost, where time jumps back, and after --gap. --simplify processes 512 fixes at a time \
        (Douglas-Peucker), so memory use does not grow. Fixes without a date have no time in the output; igc, tcx, fit, \
        --after and --before omit them. Simulated fixes are marked as simulated. Waypoints and routes of GPX, \
        KML and GeoJSON are kept in these formats.

        --merge writes the fixes of all files in order of time. A fix that several files have (the same time, and \
        the same position within 0.1 m) is written once. Files that overlap become one track, named after all of \
        them; others stay separate tracks. Fixes without a date are left out and counted. The fixes of each file must be in order of \
        time, because only the next fixes are in memory. For nmea, sentences are generated from the fixes.

        --split divides the track into several files, named after the output, with a number \
        (walk-001.gpx, walk-002.gpx and so on) or the day in UTC (walk-20260321.gpx; walk-20260321-2.gpx if the same \
        day occurs again; walk-undated.gpx for fixes before the first date). Each fix is in one of them. Waypoints and \
        routes are in the first file, or in the one that is being written when they are read. Existing files \
        are replaced when their successors are complete.

        --plot draws the track, the satellites, the scatter, altitude and speed of all fixes of the selected \
        time and quality, even those omitted by thinning; without --to and -o, nothing else is written. --summary prints the \
        distance, times, speeds and heights of the same fixes.

        Examples:
          gpsbridge convert drive.nmea -o drive.gpx
          gpsbridge convert mon.nmea tue.nmea --to kml --simplify 5 -o week.kml
          gpsbridge convert drive.nmea --to csv --after 2026-03-21 --every 10
          gpsbridge convert walk.gpx.gz -t geojson-lines --max-hdop 3 -o walk.geojson
          gpsbridge convert phone.gpx watch.fit --merge -o walk.gpx
          gpsbridge convert week.nmea -o week.gpx --split day
          gpsbridge convert drive.nmea --plot drive.svg
          gpsbridge convert drive.nmea --summary=json
          gpsbridge convert site.ubx --to rinex-obs -o site.obs
        """
    }

    static var manual: [ManualSection] { ManualSections.converting }

    static let options: [CommandOption<ConvertCommand>] =
        outputOptions + SelectionArguments.options.stored(in: \.selection)
        + PlotArguments.options(
            units: "Units of --plot and --summary: metric (default), imperial or nautical"
        ).stored(in: \.plot)
        + metadataOptions + RINEXArguments.options.stored(in: \.rinexArguments) + otherOptions

    private static let outputOptions: [CommandOption<ConvertCommand>] = [
        .init(
            "to", letter: "t", value: "FORMAT",
            choices: OutputFormats.names + RINEXKind.allCases.map(\.rawValue),
            "The format to write; see below"
        ) {
            $0.rinex = RINEXKind(rawValue: $1)
            if $0.rinex == nil { $0.format = try FormatArgument.format($1) }
        }.once(),
        .init("output", letter: "o", value: "FILE", "Write to FILE, not to standard output") {
            $0.output = $1 == "-" ? nil : $1
        }.once(),
        .init("merge", \.isMerged, "Write the fixes of all files in order of time; see below"),
        .init(
            "split", \.split, .init("gap=TIME|day|distance=LENGTH", SplitArgument.rule),
            "Begin a new file after a gap, each day (UTC), or after a distance; see below"
        ).once(),
    ]

    private static let otherOptions: [CommandOption<ConvertCommand>] = [
        .init(
            "summary", \.summary, .choice("FORMAT"),
            "Print distance, times, speeds and heights, as text or json"
        ).withOptionalValue("text"),
        .init(
            "jobs", letter: "j", \.jobs, .whole("N", 1...1024, called: "number of cores"),
            "Number of processor cores to use (default: all)"),
        .init(
            "stats", \.reportsStatistics,
            "Report at the end how many sentences were valid or rejected"),
    ]

    private static let metadataOptions: [CommandOption<ConvertCommand>] = [
        .init("title", \.metadata.title, .text("TEXT"), "The title of the file (GPX, KML)"),
        .init(
            "description", \.metadata.description, .text("TEXT"),
            "The description of the file (GPX, KML)"),
        .init("author", \.metadata.author, .text("NAME"), "The author of the file (GPX, KML)"),
        .columns(\.metadata.columns),
    ]

    private var inputs: [String] = []
    private var summary: SummaryFormat?
    private var output: String?
    private var format: (any OutputFormat.Type)?
    private var rinex: RINEXKind?
    private var rinexArguments = RINEXArguments()
    private var selection = FixSelection()
    private var plot = PlotArguments()
    private var reportsStatistics = false
    /// The number of processor cores to use; `nil` for all.
    private var jobs: Int?
    private var metadata = OutputMetadata()
    private var split: TrackSplit?
    private var isMerged = false

    mutating func addArgument(_ word: String) throws {
        guard word != "-" || !inputs.contains("-") else {
            throw UsageError("standard input can be read only once")
        }
        if let scheme = FleetSource.schemes.first(where: { word.hasPrefix("\($0)://") }) {
            let stream =
                scheme == "mqtt" || scheme == "mqtts"
                ? ""
                : ", and `gpsbridge collect --from \(word) --to gpx:FOLDER` writes the fixes that "
                    + "the server has stored"
            throw UsageError(
                "convert reads files, not a fleet: `gpsbridge record \(word) -o FILE` records the "
                    + "fixes that arrive\(stream)"
            )
        }
        if summary != nil, SummaryFormat(rawValue: word) != nil, access(word, F_OK) != 0 {
            throw UsageError("unexpected argument '\(word)': write --summary=\(word)")
        }
        inputs.append(word)
    }

    private func recording(_ path: String) throws -> Recording {
        do {
            return try Recording(path)
        } catch let error as DeviceError where error.code == .notFound {
            let isOutput = output == nil && inputs.count > 1 && path == inputs.last
            let hint = isOutput ? ", or write -o \(path) to convert to that file" : ""
            throw CommandFailure("There is no file \(path): check its name\(hint).")
        }
    }

    func run() async throws {
        do {
            try await convert()
        } catch let error as CancellationError {
            guard let signal = Signals.received else { throw error }
            StandardError.print("interrupted: \(remains)")
            throw ExitStatus(code: 128 + signal)
        }
    }

    /// The message about output that is incomplete or missing after an interruption.
    private var remains: String {
        let unfinished = split == nil ? output : output.map { "the rest of \($0)" }
        let files = [unfinished, plot.file?.path].compactMap(\.self)
        let unwritten = files.joined(separator: " and ")
        let isPrinted = output == nil && (format != nil || summary == nil && plot.file == nil)
        if isPrinted {
            let others = files.isEmpty ? "" : ", and \(unwritten) is not written"
            return "the output is incomplete\(others)"
        }
        guard !files.isEmpty else { return "there is no summary" }
        return "\(unwritten) \(files.count == 1 ? "is" : "are") not written"
    }

    private func convert() async throws {
        guard !inputs.isEmpty else {
            throw UsageError("no file to convert was given: name one, or - for standard input")
        }
        if let output { try FormatArgument.refuseForeign(output) }
        if let kind = rinex ?? (format == nil ? output.flatMap(RINEXConversion.kind) : nil) {
            return try await convert(to: kind)
        }
        try rinexArguments.refuse()
        let format = try chosenFormat()
        try refuseUnused(format)
        if selection.tolerance != nil, let format, !format.traits.isTrack {
            throw UsageError(
                "--simplify is for tracks; for \(format.name) use --every or --distance")
        }
        if let start = selection.start, let end = selection.end, !start.isBefore(end) {
            throw UsageError(
                "no fix can match: the time of --before must be later than that of --after")
        }
        // All files are opened before anything is written, because the output may replace one of
        // them.
        var plot = plot
        plot.settings.isOfRecordings = true
        let plotter = try plot.plotter(gap: selection.gap)
        OpenFileLimit.raise(for: inputs.count)
        let recordings = try inputs.map { try recording($0) }
        for recording in recordings {
            try plot.file?.check(against: recording.file, "the recording itself")
        }
        let split = try splitTarget(format, avoiding: recordings)
        let target =
            if let output, split == nil {
                try await ConversionTarget(path: output, for: format)
            } else {
                try ConversionTarget(for: format)
            }
        for recording in recordings { try target.check(recording) }
        if let file = plot.file, target.output.isFile(at: file.path) {
            throw file.failure("it is also the output; give the plot another name")
        }
        let size = recordings.reduce(0) { $0 + ($1.size ?? 0) }
        let report = summary.map { _ in SummaryCollector(gap: selection.gap, plotter: plotter) }
        var work = ConversionWork(
            to: format, selecting: selection, target: target, plotter: plotter, summary: report,
            size: size, reportsStatistics: reportsStatistics,
            metadata: metadata, split: split)
        // With thinning, whether a fix is written depends on the fixes before it, so one core is
        // used.
        let cores = max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN)))
        let jobs = selection.isThinned || split != nil ? 1 : jobs ?? cores
        do {
            if isMerged {
                try await work.merge(recordings, gap: selection.gap)
            } else {
                try await work.convert(recordings, jobs: jobs)
            }
        } catch let error as InputError {
            // A file is not replaced, but standard output has been written.
            let isPrinted = work.conversion.hasOutput && (output == nil || split != nil)
            throw CommandFailure("\(error)" + (isPrinted ? "; do not use the output" : ""))
        }
        // The output is finished even after an error, to keep the readable part of a damaged
        // recording.
        let end: Result<Void, any Error>
        do { end = .success(try await work.finish()) } catch { end = .failure(error) }
        if let summary, let report {
            try StandardOutput().write(report.text(summary, plot.settings.units))
        }
        try end.get()
    }

    private func convert(to kind: RINEXKind) async throws {
        let hasOtherOutput = plot.file != nil || summary != nil || split != nil || isMerged
        if hasOtherOutput || !selection.isEverything || !metadata.isEmpty || reportsStatistics {
            throw UsageError(
                "\(kind.rawValue) contains no fixes: leave out the options for fixes, plots and "
                    + "several files")
        }
        let recordings = try inputs.map { try recording($0) }
        let target =
            if let output {
                try await ConversionTarget(path: output, for: nil)
            } else {
                try ConversionTarget(for: nil)
            }
        for recording in recordings { try target.check(recording) }
        try RINEXConversion(
            kind: kind, description: rinexArguments.description, recordings: recordings,
            target: target
        ).run()
    }

    /// Returns the rule of `--split` and the target that writes its files; `nil` without `--split`.
    /// Throws a `UsageError` if no output file or format is given, or if the output is a device, a
    /// pipe or a folder, beside which the files would be created.
    private func splitTarget(
        _ format: (any OutputFormat.Type)?, avoiding recordings: [Recording]
    ) throws -> (rule: TrackSplit, target: SplitTarget)? {
        guard let split else { return nil }
        guard let output, let format else {
            throw UsageError(
                "--split writes several files: add -o FILE, from which their names are derived")
        }
        if let kind = try? Node(output).kind(), kind != .regularFile {  // an error: no such file
            throw UsageError(
                "--split derives the names of files from -o, and \(output) is not a regular file: "
                    + "give another name")
        }
        return (split, SplitTarget(path: output, for: format, avoiding: recordings))
    }

    /// Throws a `UsageError` for options that have no effect with the requested output.
    private func refuseUnused(_ format: (any OutputFormat.Type)?) throws {
        if isMerged, reportsStatistics {
            throw UsageError(
                "--stats counts the sentences of each file separately: leave out --merge")
        }
        if plot.units != nil, plot.file == nil, summary != .text {
            throw UsageError(
                "--units is for --plot and --summary as text: files and JSON have metres, metres per "
                    + "second and degrees")
        }
        // With --every or --distance, the first fix after a gap is written in any format.
        // --split distance= does not count the distance across a gap.
        let splitsByDistance = if case .distance? = split { true } else { false }
        let usesGap =
            format?.traits.isTrack ?? true || selection.isThinned || isMerged || summary != nil
            || plot.file != nil || splitsByDistance
        if let format, selection.gap != FixSelection().gap, !usesGap {
            throw UsageError(
                "--gap has no effect, because \(format.name) has no segments: leave it out")
        }
        try FormatArgument.refuse(metadata.columns, for: format?.name)
        guard !metadata.isEmpty, format?.traits.hasMetadata != true else { return }
        let formats = OutputFormats.all.filter { $0.traits.hasMetadata }.map { $0.name }
        throw UsageError(
            "--title, --description and --author are for \(formats.joined(separator: " and "))"
                + (format.map { ": \($0.name) does not store them" } ?? ""))
    }

    /// Returns the format to write; `nil` if only a plot or a summary is requested.
    private func chosenFormat() throws -> (any OutputFormat.Type)? {
        if let file = plot.file, file.path == output {
            throw UsageError(
                "'\(file.path)' cannot be both the output and the plot: give one of them another name"
            )
        }
        guard plot.file != nil || summary != nil, format == nil, output == nil else {
            if summary != nil, output == nil {
                throw UsageError("--summary and --to both go to standard output: add -o FILE")
            }
            return try FormatArgument.format(format, path: output, option: "--to")
        }
        if selection.isThinned {
            let use =
                plot.file == nil
                ? "the summary is about every fix" : "the plot shows every fix"
            throw UsageError(
                "--every, --distance and --simplify thin the output, but \(use): add -o FILE for an output, "
                    + "or leave these options out")
        }
        return nil
    }
}
