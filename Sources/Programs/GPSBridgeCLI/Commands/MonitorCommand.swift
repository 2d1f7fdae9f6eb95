// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats
import GPSIO
import GPSReceivers
import GPSViews
import Glibc
import SimulatedDevices

/// Shows a receiver's position as it changes.
struct MonitorCommand: SourceCommand {
    static let name = "monitor"
    static let summary = "Show the receiver's position, live."
    static let argumentSyntax = "[SOURCE...]"
    static let details =
        SourceArgument.help + """
             With several sources, the screen has a tab for each (? lists the keys); json and csv name the source in every line, \
            text at the end of the line; nmea accepts only one source.

            --web also serves a page to browsers on this machine at port 8080, or at another port if \
            that is in use. The title of the screen shows the page's address; with --format, a message shows it. \
            Without a terminal and without --format, monitor prints only this address. gpsbridge serve --http \
            also serves other machines.

            --plot draws the track, satellites, scatter, altitude and speed of one receiver when monitor \
            ends: after q, ^C, --count or --duration, or at the end of the recording.

            --record also records the receiver, as gpsbridge record does: the extension of FILE selects the \
            format and compression, and an existing file is continued.

            \(VoteArguments.help) With --format nmea, the output is the winner's sentences.

            \(WarmStartArguments.help)

            \(CorrectionArguments.help)

            \(AuthenticationArguments.help)
            """

    static var manual: [ManualSection] { ManualSections.monitoring }

    static let options: [CommandOption<MonitorCommand>] =
        own + sourceOptions
        + AlarmArguments.options.stored(in: \.alarms)
        + AuthenticationArguments.options.stored(in: \.authentication)
        + NavigationArguments.options.stored(in: \.navigation)
        + PlotArguments.options(
            units:
                "Units of the screen, of text and of --plot: metric (default), imperial or nautical"
        ).stored(in: \.plot)

    private static let own: [CommandOption<MonitorCommand>] = [
        .init(
            "format", letter: "f", \.format, .choice("FORMAT"),
            "screen (on a terminal), text (one line per fix), json (gpsd's), csv or nmea"
        ).once(),
        .init(
            "count", letter: "n", \.count, .count,
            "End after N fixes of all sources (headings of a compass); with nmea, after N sentences"
        ),
        .duration(\.duration),
        .columns(\.columns),
        .init("web", \.isWeb, "Also serve the live page on this machine"),
        .init(
            "record", \.recording.output, .text("FILE"),
            "Also record the receiver to this file"
        ).once(),
        .speed(\.speed),
    ]

    var sources = SourceArguments()
    private var format: MonitorFormat?
    private var count: Int?
    private var columns: OutputColumns = []
    private var duration: Double?
    private var speed: Double?
    private var plot = PlotArguments()
    private var isWeb = false
    private var recording = RecordArguments()
    private var alarms = AlarmArguments()
    private var authentication = AuthenticationArguments()
    private var navigation = NavigationArguments()

    func run() async throws {
        if let duration { Signals.end(after: duration) }
        if sources.words.isEmpty, speed != nil { throw SourceArgument.speedError("a receiver") }
        navigation.activate()
        try FormatArgument.refuse(columns, for: format?.rawValue)
        if let format, [.csv, .nmea].contains(format), navigation.hasRoute {
            StandardError.print(
                "the distance and the bearing of --to are not in \(format.rawValue): "
                    + "use --format text or json")
        }
        let isOnlyServed = isWeb && format == nil && !Terminal.isAvailable
        guard !isOnlyServed || count == nil && !plot.isGiven else {
            throw UsageError(
                "without a terminal, --web only serves the page, so --count, --plot, --units and "
                    + "--truth have no effect: leave them out (--count and --plot need --format)")
        }
        if format != .screen, format != nil || !Terminal.isAvailable {
            try refuseUnits()
        }
        if format == .nmea, sources.words.count > 1, !sources.vote.isActive {
            throw UsageError(
                "unexpected argument '\(sources.words[1])': --format nmea accepts only one source; "
                    + "use --format json, or combine receivers with --vote"
            )
        }
        let sources = try self.sources.deviceSources(speed: speed)
        if plot.file != nil, sources.count > 1 {
            throw UsageError("--plot draws one receiver: name one source, not \(sources.count)")
        }
        try checkPlot(sources)
        let plotter = try plot.plotter()
        authentication.activate()
        try await alarms.whileActive {
            try await recorded(sources) {
                if isOnlyServed { return try await WebMonitor(sources: sources).run() }
                guard let plotter else { return try await show(sources, nil) }
                try await plotter.finish { try await show(sources, plotter) }
            }
        }
    }

    /// Throws a `CommandFailure` if the plot would overwrite the recording that is read or written.
    private func checkPlot(_ sources: [any DeviceSource]) throws {
        guard let file = plot.file else { return }
        for part in sources.flatMap(\.parts) where part.name == "-" || part.origin == .replay {
            let input = part.name == "-" ? RegularFile(STDIN_FILENO) : RegularFile(path: part.name)
            try file.check(against: input, "the recording itself")
        }
        guard recording.output != nil else { return }
        let recorded = try recording.file()
        // The names of rotated files contain a time.
        guard recorded.rotation == nil else { return }
        try file.check(against: RegularFile(path: recorded.path), "also the recording")
        // The recording may not exist yet.
        if DraftFile.target(of: file.path) == DraftFile.target(of: recorded.path) {
            throw file.failure("it is also the recording; give the plot another name")
        }
    }

    /// Runs `work`. If requested, records the receiver and runs warm starts until `work` ends.
    private func recorded(
        _ sources: [any DeviceSource], _ work: @escaping @Sendable () async throws -> Void
    ) async throws {
        guard recording.output != nil else {
            return try await self.sources.whileActive(sources, work)
        }
        guard let source = sources.first, sources.count == 1 else {
            throw UsageError("--record records one receiver: name one source, or use --vote")
        }
        guard source.origin != .replay else {
            throw UsageError(
                "--record is for receivers: to copy a recording, use `gpsbridge record SOURCE -o FILE`"
            )
        }
        let file = try recording.file()
        try await self.sources.whileActive(sources) {
            try await file.record(source, while: work)
        }
    }

    private func show(_ sources: [any DeviceSource], _ plotter: Plotter?) async throws {
        guard isWeb else { return try await show(sources, plotter, page: nil) }
        try await WebMonitor(sources: sources).run { page in
            try await show(sources, plotter, page: page)
        }
    }

    private func show(
        _ sources: [any DeviceSource], _ plotter: Plotter?, page: String?
    ) async throws {
        if try await showsScreen(sources, plotter, page) { return }
        if let page { StandardError.print("serving the page at \(page)") }
        try self.sources.checkDistinct(sources)
        if self.sources.words.isEmpty { reportCandidates() }
        try await Monitor(
            sources: sources, format: format ?? .text, count: count,
            columns: columns, units: plot.units, plotter: plotter
        ).run()
    }

    /// Prints which serial converters are tried, because detecting a receiver may take ten seconds.
    private func reportCandidates() {
        let devices = DeviceDiscovery.devices()
        guard !devices.contains(where: \.sendsNMEA) else { return }
        let candidates = devices.filter { $0.kind == .candidate }.map(\.path)
        guard !candidates.isEmpty else { return }
        StandardError.print(
            "listening to \(candidates.joined(separator: ", ")), in case one is a receiver")
    }

    private func refuseUnits() throws {
        guard plot.units != nil, plot.file == nil, let format, format != .text else { return }
        throw UsageError(
            "--units is for the screen, for text and for --plot: \(format.rawValue) has its own units"
        )
    }

    /// Shows the screen until the user quits, if `--format screen` is given or, without a format,
    /// on a terminal. Returns whether it was shown.
    private func showsScreen(
        _ sources: [any DeviceSource], _ plotter: Plotter?, _ page: String?
    ) async throws -> Bool {
        // A terminal cannot be read for both keys and sentences.
        let input = StandardInputSource()
        let sharesInput =
            sources.contains { $0.identity == input.identity } && isatty(STDIN_FILENO) == 1
        switch format {
        case nil where sharesInput || !Terminal.isAvailable: return false
        case .screen where sharesInput:
            throw UsageError(
                "this terminal cannot be the source and also accept key presses: use --format text"
            )
        case nil, .screen: break
        default: return false
        }
        let words = self.sources.words
        let screen = ScreenMonitor(
            sources: sources,
            titles: words.isEmpty || self.sources.vote.isActive ? sources.map(\.name) : words,
            count: count,
            units: plot.settings.units, isRecording: recording.output != nil, pageAddress: page,
            plotter: plotter, ringsBell: alarms.command == nil)
        do {
            try await screen.run()
        } catch let error as TerminalError {
            if format == .screen { throw error }
            return false
        }
        return true
    }
}
