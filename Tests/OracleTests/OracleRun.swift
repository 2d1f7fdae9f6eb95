// SPDX-License-Identifier: MIT
import GPSIO
import GPSReceivers
import Glibc
import SimulatedDevices
import GPSTestSupport

/// A consumer in a scenario, from its start to its end.
struct OracleRun {
    private let scenario: Scenario
    private let consumer: Consumer
    private let folder: TemporaryFolder
    private let clock: ManualClock
    private let process: CommandRun
    private let receiver: OracleReceiver
    private let terminal: TerminalOutlet?
    private var outlets: [any Outlet]
    private var transcript = Transcript()

    /// Starts a consumer, and returns its transcript.
    static func transcript(of consumer: Consumer, in scenario: Scenario) async throws -> String {
        var run = try await OracleRun(consumer, scenario)
        let process = run.process
        return try await withTaskCancellationHandler {
            try await run.play()
        } onCancel: {
            process.send(SIGKILL)
        }
    }

    private init(_ consumer: Consumer, _ scenario: Scenario) async throws {
        (self.consumer, self.scenario) = (consumer, scenario)
        folder = try TemporaryFolder()
        clock = try ManualClock(in: folder)
        receiver = OracleReceiver(link: folder.path("gps"))
        if let recording = scenario.recording {
            _ = try folder.file("drive.nmea", Array(recording.utf8))
        }
        // The steps at time 0 are done before the program starts.
        for step in scenario.steps where step.instant == 0 {
            try await receiver.handle(step.input, at: 0)
        }
        terminal = consumer.hasTerminal ? try TerminalOutlet() : nil
        outlets = [
            FileOutlet("out", folder.path("out")), FileOutlet("err", folder.path("err")),
        ]
        if let file = consumer.file { outlets.append(FileOutlet("file", folder.path(file))) }
        var words = consumer.words(in: scenario)
        if consumer.hasBroker {
            let broker = try BrokerOutlet()
            outlets.append(broker)
            words = words.map { $0.replacing("PORT", with: "\(broker.port)") }
        }
        // The outputs are files, because the program never waits for a file's reader.
        let input = terminal?.terminal.path ?? "/dev/null"
        let output = terminal?.terminal.path ?? "out"
        let environment = [
            "PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8", "TZ=UTC", "TERM=xterm", "NO_COLOR=1", "HOME=.",
            "SWIFT_BACKTRACE=enable=no",
        ]
        // Otherwise, root would have every permission.
        let user = geteuid() == 0 ? "setpriv --bounding-set -dac_override,-dac_read_search" : ""
        let script =
            "cd '\(folder.path)' && exec \(user) env -i \"$@\" <\(input) >\(output) 2>err"
        process = try await CommandRun(
            "/bin/sh",
            words: ["-c", script, "sh"] + environment + clock.environment + [consumer.program]
                + words)
    }

    private mutating func play() async throws -> String {
        transcript.add(consumer.words(in: scenario).joined(separator: " "), at: 0)
        clock.connect()
        var isRunning = advance(to: 0)
        if isRunning, let request = consumer.request {
            outlets.append(try ClientOutlet(consumer.name, folder.path(consumer.name), request))
        }
        for step in scenario.steps where isRunning {
            isRunning = advance(to: step.instant)
            guard isRunning else { break }
            addPicture()
            transcript.add(step.text, at: step.instant)
            if step.instant > 0 { try await receiver.handle(step.input, at: step.instant) }
            if case .signal(let signal) = step.input { process.send(signal) }
            isRunning = advance(to: step.instant)
        }
        if isRunning {
            addPicture()
            transcript.add("SIGTERM", at: clock.now)
            process.send(SIGTERM)
            // Advances the clock until the process has ended.
            while advance(to: clock.now + 1000) {}
        }
        let status = await process.status()
        transcript.add(outlets, at: clock.now)
        transcript.add("exit \(status)", at: clock.now)
        return transcript.text
    }

    private mutating func advance(to instant: Int) -> Bool {
        clock.advance(to: instant) { instant in
            transcript.add(outlets, at: instant)
            return outlets.contains(where: \.hasAnswered)
        }
    }

    private mutating func addPicture() {
        // The first frame may show the receiver before or after it is opened.
        if let terminal, clock.now > 0 { transcript.add([terminal], at: clock.now) }
    }
}
