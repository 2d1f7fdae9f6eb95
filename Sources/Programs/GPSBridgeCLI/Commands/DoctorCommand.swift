// SPDX-License-Identifier: MIT
import GNSS
import GPSCommands
import GPSIO
import GPSReceivers
import Glibc
import SimulatedDevices

/// Finds out why a receiver does not report a position, and suggests remedies.
struct DoctorCommand: Command {
    static let name = "doctor"
    static let summary = "Find out why a receiver does not work, and how to fix it."
    static let argumentSyntax = "[SOURCE]"

    static var details: String {
        let statuses = Condition.allCases.map { condition in
            String(condition.rawValue).leading(4) + "  \(condition.meaning)"
        }
        return """
            Checks everything from the USB port to satellite reception. Listens for some seconds, and never sends a \
            byte to the receiver.

            \(SourceArgument.help)

            The exit status reports the condition:
            \(statuses.joined(separator: "\n"))

            The file of --report is a recording, which `gpsbridge convert` and `gpsbridge doctor` read, with comments \
            about this machine. It contains no position, serial number or name. What it contains is listed before it \
            is written.

            With --json, doctor prints one object: source, condition and status (as above), and findings, a \
            list of objects with level (ok, note or error), text and, if present, condition and remedy.
            """
    }

    static var manual: [ManualSection] { ManualSections.reading }

    static let options: [CommandOption<DoctorCommand>] = [
        .init("json", letter: "j", \.isJSON, "Print JSON"),
        .init(
            "desktop", \.isForDesktop,
            "Find out why desktop programs, which ask geoclue, get no position; SOURCE is then "
                + "gpsd://localhost by default"),
        .init(
            "duration", letter: "d", \.limit, .seconds("SECONDS", 0.1...3600),
            "Listen for at most this time (default: 15, or 6 if nothing arrives)"),
        .baudRate(\.baudRate, "The receiver's baud rate (default: detected by listening)"),
        .init(
            "report", \.report, .text("FILE"),
            "Also write a recording for a bug report, moved to a random place; asks first"
        ).once(),
        .init("yes", letter: "y", \.isAgreed, "Write the report without asking"),
    ]

    private var source: String?
    private var isJSON = false
    private var isForDesktop = false
    private var limit: Double?
    private var baudRate: BaudRate?
    private var report: String?
    private var isAgreed = false

    mutating func addArgument(_ word: String) throws {
        guard source == nil else { throw UsageError("unexpected argument '\(word)'") }
        source = word
    }

    func run() async throws {
        guard !isForDesktop || report == nil else {
            throw UsageError("--report is about a receiver: give it without --desktop")
        }
        let evidence: Evidence
        do {
            evidence = try await examination().evidence()
        } catch {
            // The status 0 would mean fixes.
            guard let signal = Signals.received else { throw error }
            throw ExitStatus(code: 128 + signal)
        }
        let diagnosis =
            isForDesktop ? Diagnosis(await desktop(), evidence) : Diagnosis(evidence)
        let output = StandardOutput()
        let text = isJSON ? json(diagnosis) : text(diagnosis)
        let isWrapped = output.isTerminal && !isJSON
        // The report is also written if the reader of the findings has ended.
        let result = Result {
            try output.write(
                isWrapped ? LineWrapping.wrapped(text, width: LineWrapping.columns - 1) : text)
        }
        if let report { try await write(DoctorReport(evidence), to: report) }
        try result.get()
        guard diagnosis.condition == .fixes else {
            throw ExitStatus(code: diagnosis.condition.rawValue)
        }
    }

    private func examination() throws -> Examination {
        do {
            let source = try sourceName.map {
                try SourceArgument.decompressedSource($0, baudRate: baudRate)
            }
            var examination = Examination(of: source, baudRate: baudRate, limit: limit)
            examination.format = (source as? CompressedSource)?.format
            examination.keepsCopy = report != nil
            return examination
        } catch let error as DeviceError {
            var examination = Examination(of: nil)
            examination.failure = error
            return examination
        }
    }

    /// The name of the source to examine; `nil` for a receiver that is plugged in.
    private var sourceName: String? { source ?? (isForDesktop ? "gpsd://localhost" : nil) }

    /// Examines the desktop of the user who runs this command, also with sudo.
    private func desktop() async -> DesktopEvidence {
        let user = geteuid()
        let caller = getenv("SUDO_UID").flatMap { UInt32(String(cString: $0)) }
        var desktop = DesktopEvidence(user: user == 0 ? caller : user)
        // gsettings shows those of the user who runs it.
        if user != 0 { await desktop.readSettings() }
        return desktop
    }

    /// Lists what the report contains, asks, and writes it.
    private func write(_ report: DoctorReport, to path: String) async throws {
        let output = try await StandardOutput(path: path)
        if let source, output.isFile(at: source) {
            throw UsageError("--report would replace \(source), which is examined")
        }
        StandardError.print("the report contains:")
        for line in report.contents { StandardError.print("- \(line)") }
        guard try await mayWrite(to: path) else {
            return StandardError.print("\(path) is not written")
        }
        try output.write(report.bytes)
        try output.finish()
        StandardError.print("\(path) is written; read it before you send it")
    }

    private func mayWrite(to path: String) async throws -> Bool {
        guard !isAgreed else { return true }
        guard isatty(STDIN_FILENO) == 1 else {
            throw CommandFailure(
                "\(path) is not written, because the input is no terminal: read the list, and add --yes"
            )
        }
        StandardError.print("write this to \(path)? [y/N]")
        let input = Descriptor(STDIN_FILENO, owned: false)
        // A terminal has a whole line, or none.
        guard await input.readable() == .ready else {
            throw ExitStatus(code: 128 + (Signals.received ?? SIGINT))
        }
        return ["y", "yes"].contains(readLine()?.lowercased())
    }

    private func text(_ diagnosis: Diagnosis) -> String {
        diagnosis.findings.map { finding in
            let remedy = finding.remedy.map { "       -> \(TerminalText.safe($0))\n" } ?? ""
            let text = TerminalText.safe(finding.text)
            return "\(finding.level.rawValue.trailing(7))\(text)\n\(remedy)"
        }.joined()
    }

    private func json(_ diagnosis: Diagnosis) -> String {
        var object = JSONObject()
        object.add("source", sourceName ?? "any receiver")
        object.add("condition", diagnosis.condition.name)
        object.add("status", Int(diagnosis.condition.rawValue))
        object.add("findings", diagnosis.findings.map { $0.json })
        return object.description + "\n"
    }
}

extension Finding {
    fileprivate var json: JSONObject {
        var json = JSONObject()
        json.add("level", level.rawValue)
        json.add("condition", condition?.name)
        json.add("text", text)
        json.add("remedy", remedy)
        return json
    }
}
