// SPDX-License-Identifier: MIT
import GPSTestSupport
import Testing

/// `record --vote`, and `monitor --vote --record`.
@Suite(.timeLimit(.generous), .undelayed)
struct RecordVoteTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("vote.nmea")
    }

    private func lines(_ path: String) -> [String] {
        GPSTestSupport.lines(of: readFile(path)).map {
            $0.hasSuffix("\r") ? String($0.dropLast()) : $0
        }
    }

    private func recordings() throws -> [String] {
        try (0..<2).map { index in
            try folder.file("\(index).nmea", (0..<3).flatMap { ScriptedReceiver.epoch($0) })
        }
    }

    /// Sends epochs until the recording has a line; each adds one. Returns the next second.
    private func send(
        _ receivers: [ScriptedReceiver], from first: Int, until text: String,
        latitudes: [Double] = [48.2, 48.2, 48.2]
    ) async throws -> Int {
        for second in first..<first + 50 {
            if lines(path).contains(text) { return second }
            let count = lines(path).count { $0.contains("GGA") }
            for (index, receiver) in receivers.enumerated() {
                await receiver.sendEpoch(
                    second, latitude: latitudes[index], hdop: [0.5, 0.8, 1.2][index])
            }
            try await waitForFile(path) { bytes in
                GPSTestSupport.lines(of: bytes).count { $0.contains("GGA") } > count
            }
        }
        Issue.record("not in the recording: \(text)")
        return first + 50
    }

    @Test(arguments: [["record"], ["monitor", "-f", "text"]])
    func `a recording has the winner's sentences, and names it and its witnesses`(
        command: [String]
    ) async throws {
        let receivers = try (0..<3).map { _ in try ScriptedReceiver() }
        let words = zip(["a", "b", "c"], receivers).map { "\($0)=\($1.path)" }
        let option = command == ["record"] ? "-o" : "--record"
        let run = try await CommandRun(words: command + ["--vote", option, path] + words)
        for receiver in receivers { await receiver.waitForReader() }
        let agreed = try await send(receivers, from: 0, until: "# vote: winner a, witnesses b, c")
        _ = try await send(
            receivers, from: agreed, until: "# vote: winner b, witnesses c, disagreeing a",
            latitudes: [48.3, 48.2, 48.2])
        await run.end()
        let lines = lines(path)
        #expect(lines.contains("# source: vote"), "\(lines)")
        // Each instant once, with the true position.
        let sentences = lines.filter { $0.contains("GGA") }
        let times = sentences.map { $0.dropFirst(7).prefix(6) }
        #expect(times == times.sorted() && Set(times).count == times.count)
        #expect(sentences.allSatisfy { $0.contains(",4812.0") }, "\(sentences)")
        // A line about the winner precedes its sentences.
        let first = lines.firstIndex { $0.hasPrefix("# vote: winner ") }
        #expect(try #require(first) < (try #require(lines.firstIndex { $0.hasPrefix("$") })))
        // A replay skips the lines.
        let replay = try await CommandRun(
            words: ["monitor", "-f", "json", "--speed", "100", path])
        let fixes = try await replay.lines().filter { $0.contains("TPV") }
        #expect(fixes.count == times.count)
        #expect(fixes.allSatisfy { $0.contains(#""lat":48.200000000"#) })
        #expect(await replay.status() == 0)
    }

    @Test func `a vote of recordings is recorded, also as a track`() async throws {
        let files = try recordings()
        let track = folder.path("track.gpx")
        let run = try await CommandRun(words: ["record", "--vote", "-o", track] + files)
        #expect(await run.status() == 0)
        #expect((2...3).contains(lines(track).count { $0.hasPrefix("<trkpt") }))
    }

    @Test(arguments: 0..<2)
    func `no receiver of a vote can be its output`(index: Int) async throws {
        let head = Array("# gpsbridge recording 1\r\n".utf8)
        let files = try ["a", "b"].map {
            try folder.file("\($0).nmea", head + ScriptedReceiver.epoch(0))
        }
        let words = ["record", "--vote", "-o", files[index], "a=\(files[0])", "b=\(files[1])"]
        let run = try await CommandRun(words: words)
        #expect(try await run.messages().contains { $0.contains("it is also the input") })
        #expect(await run.status() == 1)
        #expect(lines(files[index]).count == 3)
    }

    @Test func `several receivers need --vote, and a vote needs a file`() async throws {
        try await CommandRun.expectFailure(
            ["record", "simulated", "simulated:seed=2", "-o", path], status: 2,
            "add --vote to combine receivers")
        try await CommandRun.expectFailure(
            ["record", "--vote", "simulated", "simulated:seed=2", "b.gpx"], status: 2,
            "-o is missing: write -o b.gpx")
    }
}
