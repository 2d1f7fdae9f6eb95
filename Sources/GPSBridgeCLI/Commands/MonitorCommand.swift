// SPDX-License-Identifier: MIT
import GPSReceivers
import GPSViews
import Glibc

/// Shows a receiver's position, live.
struct MonitorCommand: Command {
    static let name = "monitor"
    static let summary = "Show the receiver's position, live."
    static let words = "[SOURCE...]"
    static let details =
        SourceArgument.help + """
             With several sources, the screen has a tab for each (? lists the keys); json and csv name the source in every line, \
            text at the end of the line; nmea accepts only one source.

            --web serves a page to browsers on this machine at port 8080, or at another port if \
            that is in use, and prints its address; gpsbridge serve --http also serves other machines.

            --plot draws track, satellites, scatter, altitude and speed of one receiver, as soon as \
            monitor ends: by q, ^C, --count, --duration or the end of the recording.

            \(VoteArguments.help) nmea then carries the sentences of the winner.
            """

    static var manual: [ManualSections.Section] { ManualSections.monitoring }

    static let options: [CommandOption<MonitorCommand>] =
        [
            .init(
                "format", "f", value: "FORMAT", choices: MonitorFormat.allCases.map(\.rawValue),
                help: "screen (on a terminal), text (one line per fix), json (gpsd's), csv or nmea"
            ) { command, name in
                guard let format = MonitorFormat(rawValue: name) else {
                    let known = MonitorFormat.allCases.map(\.rawValue)
                    throw UsageError.unknown("format", name, known: known)
                }
                command.format = format
            }.once(),
            .init(
                "count", "n", value: "N",
                help: "End after N fixes (of a compass: headings) of all sources; with nmea after "
                    + "N sentences"
            ) {
                $0.count = try Number.count($1, "count")
            },
            .duration(\.duration),
            .init("web", help: "Serve the live page on this machine, and print its address") {
                command, _ in command.isWeb = true
            },
            .init("speed", value: "X", help: "Replay a recording X times as fast") {
                $0.speed = try Number.of($1, "speed", in: 0.001...1e6)
            },
            .live(\.isLive),
            .baudRate(\.baudRate),
        ]
        + CommandOption.vote(\.vote)
        + CommandOption.alarms(\.alarms)
        + PlotArguments.options(
            \.plot,
            units:
                "Units of the screen, of text and of --plot: metric (default), imperial or nautical"
        )

    private var sources: [String] = []
    private var format: MonitorFormat?
    private var count: Int?
    private var duration: Double?
    private var speed: Double?
    private var isLive = false
    private var baudRate: BaudRate?
    private var plot = PlotArguments()
    private var isWeb = false
    private var alarms = AlarmArguments()
    private var vote = VoteArguments()

    init() {}

    mutating func addArgument(_ word: String) throws {
        sources.append(word)
    }

    func run() async throws {
        if let duration { Signals.end(after: duration) }
        if sources.isEmpty, speed != nil { throw SourceArgument.speedError("a receiver") }
        if isWeb {
            guard format == nil, count == nil, plot.file == nil else {
                throw UsageError("--web shows the page alone: without --format, --count and --plot")
            }
            let sources = try deviceSources()
            return try await alarms.whileActive { try await WebMonitor(sources: sources).run() }
        }
        if format != .screen, format != nil || !Terminal.isThere {
            try refuseUnits()
        }
        if format == .nmea, sources.count > 1, !vote.isActive {
            throw UsageError(
                "unexpected argument '\(sources[1])': sentences do not name their receiver; use --format json"
            )
        }
        let sources = try deviceSources()
        if plot.file != nil, sources.count > 1 {
            throw UsageError("--plot draws one receiver: name one source, not \(sources.count)")
        }
        let plotter = try plot.plotter()
        try await alarms.whileActive {
            guard let plotter else { return try await show(sources, nil) }
            try await plotter.finish { try await show(sources, plotter) }
        }
    }

    private func deviceSources() throws -> [any DeviceSource] {
        try vote.sources(sources) {
            try SourceArgument.decompressedSources(
                $0, baudRate: baudRate, speed: speed, isLive: isLive)
        }
    }

    private func show(_ sources: [any DeviceSource], _ plotter: Plotter?) async throws {
        if try await showsScreen(sources, plotter) { return }
        for (index, source) in sources.enumerated()
        where sources[..<index].contains(where: { $0.identity == source.identity }) {
            throw UsageError(
                "unexpected argument '\(self.sources[index])': this source was already given")
        }
        if self.sources.isEmpty { reportCandidates() }
        try await Monitor(
            sources: sources, format: format ?? .text, count: count,
            units: plot.hasUnits ? plot.settings.units : nil, plotter: plotter
        ).run()
    }

    /// Reports the candidates, because detecting a receiver may take ten seconds.
    private func reportCandidates() {
        let devices = DeviceDiscovery.devices()
        guard !devices.contains(where: \.sendsNMEA) else { return }
        let candidates = devices.filter { $0.kind == .candidate }.map(\.path)
        guard !candidates.isEmpty else { return }
        StandardError.print(
            "listening to \(candidates.joined(separator: ", ")), in case one is a receiver")
    }

    private func refuseUnits() throws {
        guard plot.hasUnits, plot.file == nil, let format, format != .text else { return }
        throw UsageError(
            "--units is for the screen, for text and for --plot: \(format.rawValue) has units of its own"
        )
    }

    /// Shows the screen if it is requested, or by default on a terminal, until the user quits. Returns
    /// whether it was shown.
    private func showsScreen(
        _ sources: [any DeviceSource], _ plotter: Plotter?
    ) async throws -> Bool {
        // A terminal cannot provide both keys and sentences.
        let input = StandardInputSource()
        let sharesInput =
            sources.contains { $0.identity == input.identity } && isatty(STDIN_FILENO) == 1
        switch format {
        case nil where sharesInput || !Terminal.isThere: return false
        case .screen where sharesInput:
            throw UsageError(
                "this terminal cannot provide both keys and sentences: use --format text")
        case nil, .screen: break
        default: return false
        }
        let screen = ScreenMonitor(
            sources: sources,
            titles: self.sources.isEmpty || vote.isActive ? sources.map(\.name) : self.sources,
            count: count,
            units: plot.settings.units, plotter: plotter)
        do {
            try await screen.run()
        } catch let error as TerminalError {
            if format == .screen { throw error }
            return false
        }
        return true
    }
}
