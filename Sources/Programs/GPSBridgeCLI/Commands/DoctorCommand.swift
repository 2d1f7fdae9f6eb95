// SPDX-License-Identifier: MIT
import GNSS
import GPSReceivers
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

            With --json, doctor prints one object: source, condition and status (as above), and findings, a \
            list of objects with level (ok, note or error), text and, if present, condition and remedy.
            """
    }

    static var manual: [ManualSection] { ManualSections.reading }

    static let options: [CommandOption<DoctorCommand>] = [
        .init("json", letter: "j", \.isJSON, "Print JSON"),
        .init(
            "duration", letter: "d", \.limit, .seconds("SECONDS", 0.1...3600),
            "Listen for at most this time (default: 15, or 6 if nothing arrives)"),
        .baudRate(\.baudRate, "The receiver's baud rate (default: detected by listening)"),
    ]

    private var source: String?
    private var isJSON = false
    private var limit: Double?
    private var baudRate: BaudRate?

    mutating func addArgument(_ word: String) throws {
        guard source == nil else { throw UsageError("unexpected argument '\(word)'") }
        source = word
    }

    func run() async throws {
        let diagnosis: Diagnosis
        do {
            diagnosis = try await examination().run()
        } catch {
            // The status 0 would mean fixes.
            guard let signal = Signals.received else { throw error }
            throw ExitStatus(code: 128 + signal)
        }
        let output = StandardOutput()
        let text = isJSON ? json(diagnosis) : text(diagnosis)
        let isWrapped = output.isTerminal && !isJSON
        try output.write(
            isWrapped ? LineWrapping.wrapped(text, width: LineWrapping.columns - 1) : text)
        guard diagnosis.condition == .fixes else {
            throw ExitStatus(code: diagnosis.condition.rawValue)
        }
    }

    private func examination() throws -> Examination {
        do {
            let source = try source.map {
                try SourceArgument.decompressedSource($0, baudRate: baudRate)
            }
            var examination = Examination(of: source, baudRate: baudRate, limit: limit)
            examination.format = (source as? CompressedSource)?.format
            return examination
        } catch let error as DeviceError {
            var examination = Examination(of: nil)
            examination.failure = error
            return examination
        }
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
        object.add("source", source ?? "any receiver")
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
