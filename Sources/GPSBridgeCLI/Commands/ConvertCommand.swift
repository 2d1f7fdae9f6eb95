// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats
import GPSReceivers
import GPSViews
import Glibc

/// Converts recordings to another format, as fast as possible.
struct ConvertCommand: Command {
    static let name = "convert"
    static let summary = "Turn recordings and tracks into another format, or into a plot."
    static let words = "FILE...|-"

    static var details: String {
        """
        FILE is NMEA, GPX, KML, GeoJSON, CSV or gpsd's JSON, also compressed by gzip or zstd; its content \
        decides, not its name. Without --to, the extension of the output's name selects the format; .gz or \
        .zst after it (walk.gpx.gz) compresses the output. Formats:
        \(FormatArgument.list())

        Several files are converted one after the other. Long files, and many files, are converted on all \
        processor cores (--jobs) if the format is json, gpx, csv, nmea or geojsonseq, without --simplify, --every, \
        --distance, --plot, --summary and --stats; the output is the same. A track begins a new segment where the \
        fix is lost, where time jumps back, and after --gap. --simplify processes 512 fixes at a time \
        (Douglas-Peucker), so that memory does not grow. Fixes without a date have no time in the output, and \
        --after and --before omit them. Simulated fixes are marked as simulated.

        --plot draws the track, the satellites, the scatter, altitude and speed of all fixes in the selected \
        time, even those omitted by thinning; without --to and -o, nothing else is written. --summary prints the \
        distance, times, speeds and heights of the same fixes.

        Examples:
          gpsbridge convert drive.nmea -o drive.gpx
          gpsbridge convert mon.nmea tue.nmea --to kml --simplify 5 -o week.kml
          gpsbridge convert drive.nmea --to csv --after 2026-03-21 --every 10
          gpsbridge convert walk.gpx.gz -t geojson-lines --max-hdop 3 -o walk.geojson
          gpsbridge convert drive.nmea --plot drive.svg
          gpsbridge convert drive.nmea --summary=json
        """
    }

    static var manual: [ManualSections.Section] { ManualSections.converting }

    static let options: [CommandOption<ConvertCommand>] =
        outputOptions + SelectionArguments.options(\.selection)
        + PlotArguments.options(
            \.plot, units: "Units of --plot and --summary: metric (default), imperial or nautical")
        + metadataOptions + otherOptions

    private static let outputOptions: [CommandOption<ConvertCommand>] = [
        .init(
            "to", "t", value: "FORMAT", choices: OutputFormats.names,
            help: "The format to write; see below"
        ) {
            $0.format = try FormatArgument.format($1)
        }.once(),
        .init("output", "o", value: "FILE", help: "Write to FILE, not to standard output") {
            $0.output = $1 == "-" ? nil : $1
        }.once(),
    ]

    private static let otherOptions: [CommandOption<ConvertCommand>] = [
        summaryOption,
        .init("jobs", "j", value: "N", help: "Number of processor cores to use (default: all)") {
            $0.jobs = try Number.whole($1, "number of cores", in: 1...1024)
        },
        .init("stats", help: "Report at the end how many sentences were valid or rejected") {
            command, _ in
            command.reportsStatistics = true
        },
    ]

    private static let metadataOptions: [CommandOption<ConvertCommand>] = [
        .init("title", value: "TEXT", help: "The title of the file (GPX, KML)") {
            $0.metadata.title = $1
        },
        .init("description", value: "TEXT", help: "The description of the file (GPX, KML)") {
            $0.metadata.description = $1
        },
        .init("author", value: "NAME", help: "The author of the file (GPX, KML)") {
            $0.metadata.author = $1
        },
    ]

    private static var summaryOption: CommandOption<ConvertCommand> {
        var option = CommandOption<ConvertCommand>(
            "summary", value: "FORMAT", choices: SummaryFormat.allCases.map(\.rawValue),
            help: "Print distance, times, speeds and heights, as text or json"
        ) { command, name in
            guard let format = SummaryFormat(rawValue: name.isEmpty ? "text" : name) else {
                let known = SummaryFormat.allCases.map(\.rawValue)
                throw UsageError.unknown("format", name, known: known)
            }
            command.summary = format
        }
        option.isValueOptional = true
        return option
    }

    private var inputs: [String] = []
    private var summary: SummaryFormat?
    private var output: String?
    private var format: (any OutputFormat.Type)?
    private var selection = FixSelection()
    private var plot = PlotArguments()
    private var reportsStatistics = false
    /// The number of processor cores to use; `nil` for all.
    private var jobs: Int?
    private var metadata = OutputMetadata()

    init() {}

    mutating func addArgument(_ word: String) throws {
        guard word != "-" || !inputs.contains("-") else {
            throw UsageError("standard input can be read only once")
        }
        if let scheme = FleetSource.schemes.first(where: { word.hasPrefix("\($0)://") }) {
            let stream =
                scheme == "mqtt" || scheme == "mqtts"
                ? ""
                : ", and `gpsbridge collect --from \(word) --to gpx:FOLDER` writes what its stream keeps"
            throw UsageError(
                "convert reads files: `gpsbridge record \(word) -o FILE` records what comes\(stream)"
            )
        }
        if summary != nil, SummaryFormat(rawValue: word) != nil, access(word, F_OK) != 0 {
            throw UsageError("unexpected argument '\(word)': write --summary=\(word)")
        }
        inputs.append(word)
    }

    private static func recording(_ path: String) throws -> Recording {
        do {
            return try Recording(path)
        } catch let error as DeviceError where error.code == .notFound {
            throw Recording.Missing(description: "There is no \(path): check its name.")
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

    /// The message about incomplete output after an interruption.
    private var remains: String {
        let files = [output, plot.file?.path].compactMap(\.self)
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
            throw UsageError("a file to convert is missing, or - for standard input")
        }
        if let output { try FormatArgument.refuseForeign(output) }
        let format = try chosenFormat()
        try refuseUnused(format)
        if selection.tolerance != nil, let format, !format.isTrack {
            throw UsageError(
                "--simplify is for tracks; for \(format.name) use --every or --distance")
        }
        if let start = selection.start, let end = selection.end,
            end.unixNanoseconds <= start.unixNanoseconds
        {
            throw UsageError("no fix can match: --before is not after --after")
        }
        // Opens all files before writing anything: the output may be one of them.
        let plotter = try plot.plotter(gap: selection.gap)
        OpenFileLimit.raise(for: inputs.count)
        let recordings = try inputs.map { try Self.recording($0) }
        for recording in recordings {
            try plot.file?.check(against: recording.file, "the recording itself")
        }
        let target =
            if let output { try await ConversionTarget(path: output) } else { ConversionTarget() }
        for recording in recordings { try target.check(recording) }
        if let file = plot.file, target.isFile(at: file.path) {
            throw PlotFile.Failure(file.path, "it is also the output")
        }
        let size = recordings.reduce(0) { $0 + ($1.size ?? 0) }
        let report = summary.map { _ in SummaryReport(gap: selection.gap) }
        var work = ConversionWork(
            to: format, selecting: selection, target: target, plotter: plotter, summary: report,
            size: size, reportsStatistics: reportsStatistics,
            metadata: metadata)
        // With thinning, the selection of a fix depends on all fixes before it.
        let jobs = selection.isThinned ? 1 : jobs ?? ProcessorCores.count
        try await work.convert(recordings, jobs: jobs)
        // Finishes after an error, too, to keep the readable part of a damaged recording.
        let end = Result { try work.finish() }
        if let summary, let report {
            try StandardOutput().write(Array(report.text(summary, plot.settings.units).utf8))
        }
        try end.get()
    }

    /// Throws a `UsageError` for options that have no effect in a format.
    private func refuseUnused(_ format: (any OutputFormat.Type)?) throws {
        if plot.hasUnits, plot.file == nil, summary == nil {
            throw UsageError(
                "--units is for --plot and --summary: files have metres, metres a second and degrees"
            )
        }
        guard metadata != OutputMetadata(), format?.hasMetadata != true else { return }
        let formats = OutputFormats.all.filter { $0.hasMetadata }.map { $0.name }
        throw UsageError(
            "--title, --description and --author are for \(formats.joined(separator: " and "))"
                + (format.map { ": \($0.name) does not store them" } ?? ""))
    }

    /// The format to write; `nil` if only a plot is requested.
    private func chosenFormat() throws -> (any OutputFormat.Type)? {
        if let file = plot.file, file.path == output {
            throw UsageError("'\(file.path)' cannot be both the output and the plot")
        }
        guard plot.file != nil || summary != nil, format == nil, output == nil else {
            if summary != nil, output == nil {
                throw UsageError("--summary and --to both go to standard output: add -o FILE")
            }
            return try FormatArgument.format(format, path: output, option: "--to")
        }
        if selection.isThinned {
            throw UsageError(
                "--every, --distance and --simplify thin the output, but the plot shows every fix: "
                    + "add --to FORMAT, or omit them")
        }
        return nil
    }
}
