// SPDX-License-Identifier: MIT
import GPSIO
import GPSReceivers
import Glibc
import GPSTestSupport
import Testing

/// The output of a receiver's consumers is that recorded in `Tests/Fixtures/Oracle`: its text, its time by
/// a clock that only the test advances, and the exit status.
@Suite(.timeLimit(.generous))
struct OracleTests {
    private static let isRecording = getenv("GPSBRIDGE_RECORD") != nil
    private static let hasFleet = getenv("GPSBRIDGE_FLEET") != nil

    @Test(arguments: Scenario.all)
    func `each consumer gives the recorded output`(_ scenario: Scenario) async throws {
        try await Self.replay(scenario, Consumer.all)
    }

    @Test(.enabled(if: hasFleet, "needs gpsbridge-fleet"), arguments: Scenario.all)
    func `publish gives the recorded output`(_ scenario: Scenario) async throws {
        try await Self.replay(scenario, [.publish])
    }

    private static func replay(_ scenario: Scenario, _ consumers: [Consumer]) async throws {
        // The run blocks while it waits for a consumer.
        try await withTaskExecutorPreference(BackgroundExecutor.shared) {
            for consumer in consumers where scenario.includes(consumer) {
                try await Self.replay(scenario, consumer)
            }
        }
    }

    private static func replay(_ scenario: Scenario, _ consumer: Consumer) async throws {
        let transcript = try await OracleRun.transcript(of: consumer, in: scenario)
        let path = "\(Scenario.folder)/\(scenario.name)/\(consumer.name).txt"
        let recorded = String(decoding: readFile(path), as: UTF8.self)
        if isRecording {
            try write(transcript, path)
        } else if transcript != recorded {
            Issue.record("\(consumer.name): \(difference(transcript, recorded))")
        }
    }

    private static func write(_ transcript: String, _ path: String) throws {
        let file = fopen(path, "we")
        try #require(file != nil)
        defer { fclose(file) }
        #expect(fputs(transcript, file) >= 0)
    }

    /// The first line that differs.
    private static func difference(_ transcript: String, _ recorded: String) -> String {
        let (new, old) = (transcript.split(separator: "\n"), recorded.split(separator: "\n"))
        let line = zip(new, old).prefix { $0 == $1 }.count
        func text(_ lines: [Substring]) -> Substring {
            lines.indices.contains(line) ? lines[line] : "nothing"
        }
        return "line \(line + 1) is\n\(text(new))\nand was\n\(text(old))"
    }
}
