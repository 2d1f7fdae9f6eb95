// SPDX-License-Identifier: MIT
import GNSS
import GNSSNavigation
import GPSConfiguration
import GPSIO
import GPSReceivers
import SimulatedDevices
import UBX

/// Shows and changes the settings of a receiver.
struct ConfigureCommand: Command {
    static let name = "configure"
    static let summary = "Show and change a receiver's settings."
    static let argumentSyntax = "[SOURCE...]"
    static let details = """
        \(SourceArgument.help) A receiver that `serve --allow-control` reads is configured through the \
        server: gpsbridge configure gpsd://localhost. First stop other programs that read the receiver.

        Without options, configure shows the chip and the settings in effect. Only settings that differ \
        are sent. Each change is checked in the receiver's output. If a change silences the receiver, the \
        previous settings are restored, at any baud rate at which it answers. A change lasts until the receiver loses \
        power, unless --save stores it.

        --diverse gives each of two to eight u-blox receivers its own pair of constellations. False \
        signals of one constellation then affect as few receivers of a vote as possible (--vote of other commands). \
        --diverse prints the pairs, then changes one receiver after the other. A receiver may be given as NAME=SOURCE.

        LIST of --constellations is one or more of: \(constellationNames). LIST of --messages is one or more \
        names of messages, such as RMC,GGA,GSV/5 (/5: with every fifth fix) or NAV-PVT,NAV-SAT. Commas separate names.

        Examples:
          gpsbridge configure --show
          gpsbridge configure --rate 10 --messages RMC,GGA
          gpsbridge configure --baud 115200 --constellations gps,galileo --save
          gpsbridge configure --diverse /dev/ttyACM0 /dev/ttyACM1 --save
          gpsbridge configure --assist BRDC00IGS_R_20263250000_01D_MN.rnx
          gpsbridge configure --dump boat.toml; gpsbridge configure --apply boat.toml --dry-run
        """

    static var manual: [ManualSection] { ManualSections.reading }

    static let options: [CommandOption<ConfigureCommand>] =
        ReceiverConfiguration.options.stored(in: \.request.configuration) + own

    private static let own: [CommandOption<ConfigureCommand>] = [
        .init(
            "show", \.request.readsStoredValues,
            "Show the chip, the settings in effect, the ports, and the settings stored in its memories"
        ),
        .init(
            "diverse", \.isDiverse,
            "Give each of several receivers its own pair of constellations"),
        .init(
            "save", letter: "s", \.request.saves,
            "Store the settings in flash or battery-backed memory"),
        .init(
            "restart", \.request.restart, .choice("hot|warm|cold", called: "kind of restart"),
            "Restart the receiver"),
        .init(
            "factory-reset", \.request.resetsToFactory,
            "Restore the factory settings, before other changes"),
        .init(
            "dump", \.dump, .text("FILE"),
            "Write the settings as TOML to FILE (- for standard output)"),
        .init("apply", \.apply, .text("FILE"), "Apply the settings in FILE, written by --dump"),
        .init(
            "dry-run", letter: "n", \.request.isDryRun,
            "Print what would be changed, and change nothing"),
        .init(
            "send", \.send, .text("FILE"),
            "Send the messages in FILE, one per line; end with an error if the receiver does not accept one"
        ),
        .init(
            "assist", \.assist, .assistance,
            "Send ephemerides to a u-blox receiver without a fix, for a fast first fix: those of a RINEX navigation "
                + "file, or of a fleet (nats://HOST/FLEET)"
        ),
        .baudRate(
            \.baudRate, name: "line-baud", letter: nil,
            "The receiver's current baud rate (default: detected by listening)"),
    ]

    private var sources: [String] = []
    private var isDiverse = false
    private var request = ConfigurationRequest()
    private var baudRate: BaudRate?
    private var dump: String?
    private var apply: String?
    private var send: String?
    private var assist: AssistanceSource?

    mutating func addArgument(_ word: String) throws {
        sources.append(word)
    }

    private static let constellationNames =
        Constellation.allCases.map(\.fileName).joined(separator: ", ")

    func run() async throws {
        if isDiverse { return try await configureDiversely() }
        guard sources.count < 2 else {
            throw UsageError(
                "configure changes one receiver at a time: run it once for \(sources[0]) and once "
                    + "for \(sources[1]) (only --diverse takes several receivers)")
        }
        guard dump == nil || !self.request.readsStoredValues else {
            throw UsageError("--show prints the settings, and --dump writes them: leave out one")
        }
        let source: any DeviceSource =
            try sources.first.map { try deviceSource($0) }
            ?? FirstReceiverSource(baudRate: baudRate)
        let request = try completeRequest()
        let isChange = !request.isReadOnly && !request.isDryRun
        let assistance = try await ephemerides(besides: request, at: source)
        if let served = source as? GPSDSource {
            return try await reportingInterruption(ofChange: isChange, "") {
                try await carryOut(request, at: served)
            }
        }
        let session = ReceiverPool.shared.session(for: source)
        // Safety: used on the polling thread only, where a session sends its updates.
        nonisolated(unsafe) var receiver = ReceiverModel(source, .whenUseful)
        let updates = session.join { update in
            let output = receiver.receive(update)
            // Other errors end the command, which prints them itself.
            guard !receiver.hasBeenOpen, case .condition(.waiting(let error), _) = update,
                error.code == .notFound || error.code == .noReceiver,
                case .message(let text)? = output
            else { return }
            StandardError.print(text)
        }
        defer { withExtendedLifetime(updates) {} }
        if let assistance { return try await sendEphemerides(assistance, to: session) }
        try await reportingInterruption(ofChange: isChange) { try await carryOut(request, session) }
    }

    /// Reads the source of `--assist`. Returns `nil` without that option.
    private func ephemerides(
        besides request: ConfigurationRequest, at source: any DeviceSource
    ) async throws -> AssistanceData? {
        guard let assist else { return nil }
        guard request.isReadOnly, dump == nil, !(source is GPSDSource) else {
            throw UsageError(
                "--assist only sends ephemerides to a receiver on a tty: leave out other options")
        }
        guard let clock = SynchronizedTime.now, let now = AssistanceData.seconds(clock.time) else {
            throw CommandFailure(
                "ephemerides are of use only with the time, and the system's clock is not "
                    + "synchronised: start chronyd or systemd-timesyncd first")
        }
        let assistance = AssistanceData(rinex: try await assist.text(), at: now)
        guard !assistance.ephemerides(at: now).isEmpty else {
            throw CommandFailure(assist.emptiness)
        }
        return assistance
    }

    private func sendEphemerides(
        _ assistance: AssistanceData, to session: ReceiverSession
    ) async throws {
        switch try await session.assist(with: assistance) {
        case .restored(let transfer): try Self.show(["\(transfer)"])
        case .failed(let obstacle):
            StandardError.print("no ephemerides were sent: \(obstacle)")
            throw ExitStatus.failed
        case .identified, .collected: break
        }
    }

    private func deviceSource(_ word: String) throws -> any DeviceSource {
        try SourceArgument.source(word, baudRate: baudRate, rateOption: "--line-baud")
    }

    /// Runs `work`. If a signal interrupts it and `isChange` is `true`, prints `consequence` and
    /// throws the exit status of the signal, because the requested settings may not be in effect.
    /// With `--dump`, also throws the exit status, because the file has not been written.
    private func reportingInterruption(
        ofChange isChange: Bool,
        _ consequence: String =
            ": a change in progress is undone when gpsbridge opens the receiver again",
        _ work: () async throws -> Void
    ) async throws {
        do {
            try await work()
        } catch {
            guard let signal = Signals.received, isChange || dump != nil else { throw error }
            let result = isChange ? consequence : ": the settings are not written"
            StandardError.print("interrupted\(result)")
            throw ExitStatus(code: 128 + signal)
        }
    }

    private func configureDiversely() async throws {
        let members = try VoteArguments.members(sources, for: "--diverse configures") { words in
            try words.map { try deviceSource($0) }
        }.map(\.member)
        if let served = members.first(where: { $0.source is GPSDSource }) {
            throw UsageError(
                "--diverse does not configure receivers through a server: name their ttys instead "
                    + "of \(served.source.name)")
        }
        let request = try completeRequest()
        guard request.configuration.constellations == nil else {
            throw UsageError("--diverse chooses the constellations: leave out --constellations")
        }
        guard dump == nil, send == nil, !request.resetsToFactory, !request.readsStoredValues
        else {
            throw UsageError(
                "--diverse cannot be combined with --show, --dump, --send or --factory-reset")
        }
        try await reportingInterruption(ofChange: !request.isDryRun) {
            try await DiverseConfiguration(members, request).run()
        }
    }

    private func completeRequest() throws -> ConfigurationRequest {
        var request = self.request
        // A dry run shows all settings, as it is not in a hurry.
        request.omitsUnusedMessages = dump == nil && !request.isDryRun
        if let apply {
            let file = try contents(of: apply, ReceiverConfiguration.init(toml:))
            guard !file.isEmpty else { throw UsageError("\(apply) contains no settings") }
            request.configuration = file.merging(request.configuration)
        }
        if let send {
            request.messages = try contents(of: send, DescribedMessage.messages(in:))
            guard !request.messages.isEmpty else {
                throw UsageError("\(send) contains no messages")
            }
        }
        return request
    }

    /// Reads a text file and returns the result of `parse`. Adds the name of the file to an error
    /// of `parse`.
    private func contents<Value>(
        of path: String, _ parse: (String) throws(ConfigurationError) -> Value
    ) throws -> Value {
        let content = try text(of: path)
        do {
            return try parse(content)
        } catch {
            throw ConfigurationError(error.code, "\(path): \(error.reason)", remedy: error.remedy)
        }
    }

    private func text(of path: String) throws -> String {
        do {
            return String(decoding: try RegularFile.bytes(of: path), as: UTF8.self)
        } catch {
            throw CommandFailure("cannot read \(path): \(error)")
        }
    }

    private func carryOut(
        _ request: ConfigurationRequest, _ session: ReceiverSession
    ) async throws {
        let target = try await openDump()
        let outcome = try await session.configure(request, journals: .default) { progress in
            guard let text = ConfigurationText.text(progress, of: request) else { return }
            StandardError.print(text)
        }
        switch outcome {
        case .done(let report):
            for warning in report.warnings { StandardError.print("warning: \(warning)") }
            let state = report.after ?? report.before
            if let target, let state {
                Self.showResults(among: ConfigurationText.lines(report, after: request))
                return try Self.write(state.toml, to: target)
            }
            let stored =
                request.readsStoredValues && report.isOfUBlox
                ? await session.warmStartData() : nil
            try Self.show(
                ConfigurationText.lines(report, after: request)
                    + (stored.map { ConfigurationText.lines($0) } ?? []))
        case .failed(let error, let rollback):
            StandardError.print("\(error)" + ConfigurationText.text(rollback))
            throw ExitStatus.failed
        }
    }

    private func carryOut(_ request: ConfigurationRequest, at server: GPSDSource) async throws {
        let target = try await openDump()
        let messages = try send.map { try text(of: $0) }
        let served = ServedConfiguration(source: server, request: request, messages: messages)
        let result = try await served.run { StandardError.print($0) }
        let lines = result.text.split(separator: "\n").map(String.init)
        if let target, let settings = result.settings {
            Self.showResults(among: lines)
            return try Self.write(settings, to: target)
        }
        try Self.show(lines)
    }

    /// Prints to standard error the lines that a settings file does not contain: where the settings
    /// were saved, and the receiver's answers to messages.
    private static func showResults(among lines: [String]) {
        for line in lines where ["saved ", "answer ", "done "].contains(where: line.hasPrefix) {
            StandardError.print(String(line.drop { $0 != " " }).trimmed)
        }
    }

    /// Prints lines to standard output. Control characters are escaped.
    static func show(_ lines: [String]) throws {
        let text = lines.map { TerminalText.safe($0) + "\n" }.joined()
        try StandardOutput().write(text)
    }

    /// Opens the file of `--dump`, so that an error is found before the receiver is changed.
    /// Returns `nil` without `--dump`.
    private func openDump() async throws -> StandardOutput? {
        guard let dump else { return nil }
        return try await dump == "-" ? StandardOutput() : StandardOutput(path: dump)
    }

    private static func write(_ text: String, to output: StandardOutput) throws {
        try output.write(text)
        try output.finish()
    }
}
