// SPDX-License-Identifier: MIT
import GNSS
import GPSTestSupport
import Testing

/// `monitor --vote` and `serve --vote`.
@Suite(.timeLimit(.generous), .undelayed)
struct VoteTests {
    private func receivers(_ count: Int) throws -> [ScriptedReceiver] {
        try (0..<count).map { _ in try ScriptedReceiver() }
    }

    /// Sends epochs until the output has a line with all receivers.
    private func settle(_ receivers: [ScriptedReceiver], _ run: CommandRun) async throws -> Int {
        for receiver in receivers { await receiver.waitForReader() }
        for second in 0..<600 {
            for receiver in receivers { await receiver.sendEpoch(second) }
            let line = try #require(await run.line(with: "TPV"))
            if line.contains(#""voteDisagreeing":"","voteRadius""#),
                line.contains(#""vote":"agreed""#),
                line.contains(#""voteWitnesses":"b, c""#)
                    || line.contains(#""voteWitnesses":"a, c""#)
                    || line.contains(#""voteWitnesses":"a, b""#)
            {
                return second + 1
            }
        }
        return 600
    }

    @Test func `monitor reports one position of three receivers, and who was outvoted`()
        async throws
    {
        let receivers = try receivers(3)
        let words = zip(["a", "b", "c"], receivers).map { "\($0)=\($1.path)" }
        let run = try await CommandRun(words: ["monitor", "-f", "json", "--vote"] + words)
        let first = try await settle(receivers, run)
        for second in first..<first + 3 {
            await receivers[0].sendEpoch(second)
            await receivers[1].sendEpoch(second)
            await receivers[2].sendEpoch(second, latitude: 48.3)
            let line = try #require(await run.line(with: "TPV"))
            #expect(line.hasPrefix(#"{"class":"TPV","device":"vote","mode":3"#), "\(line)")
            #expect(line.contains(#""lat":48.200000000"#), "\(line)")
            #expect(line.contains(#""vote":"agreed","voteWinner":""#), "\(line)")
            #expect(line.contains(#""voteDisagreeing":"c""#), "\(line)")
        }
        await run.end()
    }

    @Test func `an unplugged receiver is reported, and the others continue`() async throws {
        let receivers = try receivers(3)
        let words = zip(["a", "b", "c"], receivers).map { "\($0)=\($1.path)" }
        let run = try await CommandRun(words: ["monitor", "-f", "json", "--vote"] + words)
        let first = try await settle(receivers, run)
        receivers[0].unplug()
        #expect(try await run.message(with: "\(receivers[0].path) is gone") != nil)
        var agreed = false
        for second in first..<first + 3 {
            for receiver in receivers[1...] { await receiver.sendEpoch(second) }
            let line = try #require(await run.line(with: "TPV"))
            let time = "\(second + 100)".dropFirst()
            #expect(line.contains(#""time":"2026-03-21T12:00:\#(time).000Z""#), "\(line)")
            agreed = agreed || line.contains(#""vote":"agreed""#)
            #expect(!line.contains(#""a""#), "\(line)")
        }
        // On a busy machine, some fixes come later than the vote waits.
        #expect(agreed)
        await run.end()
    }

    @Test func `nmea has the sentences of the winner alone`() async throws {
        let folder = try TemporaryFolder()
        let files = try (0..<2).map { index in
            try folder.file(
                "\(index).nmea",
                (0..<20).flatMap { ScriptedReceiver.epoch($0, hdop: index == 0 ? 3 : 1) })
        }
        let run = try await CommandRun(
            words: ["monitor", "-f", "nmea", "--vote", "--speed", "10"] + files)
        let lines = try await run.lines()
        #expect(await run.status() == 0)
        // Two sentences for each instant; each instant once.
        let times = lines.filter { $0.contains("RMC") }.map { $0.dropFirst(7).prefix(6) }
        #expect(times == times.sorted() && Set(times).count == times.count)
        #expect(lines.count == 2 * times.count && times.count >= 19, "\(lines)")
        // The better one wins after two seconds. On a busy machine one of them may be late now and then.
        #expect(lines.suffix(20).contains { $0.contains("GGA") && $0.contains(",09,1.0") })
    }

    @Test func `OpenCPN 2209, sentences have a position while a receiver sends without a fix`()
        async throws
    {
        let receivers = try receivers(2)
        let words = receivers.map(\.path)
        let run = try await CommandRun(words: ["monitor", "-f", "nmea", "--vote"] + words)
        for receiver in receivers { await receiver.waitForReader() }
        var sentences: [String] = []
        for second in 0..<20 {
            // The first one is better, and loses its fix for a while.
            let isLost = (8..<14).contains(second)
            await receivers[0].sendEpoch(
                second, quality: isLost ? .invalid : .autonomous, hdop: 0.5)
            await receivers[1].sendEpoch(second)
            sentences.append(try #require(await run.line(with: "GGA")))
        }
        let times = sentences.map { $0.dropFirst(7).prefix(6) }
        #expect(times == times.sorted() && Set(times).count == times.count, "\(sentences)")
        #expect(sentences.allSatisfy { $0.contains(",4812.0") }, "\(sentences)")
        #expect(sentences[8..<14].allSatisfy { $0.contains(",09,1.00,") }, "\(sentences)")
        #expect(sentences.last?.contains(",09,0.50,") == true, "\(sentences)")
        await run.end()
    }

    @Test func `serve shows clients one device`() async throws {
        let receivers = try receivers(3)
        let folder = try TemporaryFolder()
        let socket = folder.path("gpsd")
        let words = zip(["a", "b", "c"], receivers).map { "\($0)=\($1.path)" }
        let run = try await CommandRun(
            words: ["serve", "--user", "root", "--listen", socket, "--vote"] + words)
        #expect(try await run.message(with: "serving gpsd's clients at \(socket)") != nil)
        let client = try await CommandRun(
            "/usr/bin/env",
            words: [
                "python3", "-c",
                """
                import socket, sys
                s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1])
                s.sendall(b'?WATCH={"enable":true,"json":true};')
                for line in s.makefile():
                    print(line, end="", flush=True)
                """, socket,
            ])
        #expect(try await client.line(with: "WATCH") != nil)
        _ = try await settle(receivers, client)
        await run.end()
    }

    @Test(arguments: [
        (["--vote", "a"], "--vote compares 2 to 8 receivers, not 1"),
        (["--at", "bow=3,0", "simulated"], "--at bow=… needs --vote"),
        (["--vote", "--at", "bow=3", "x", "y"], "position of an antenna: 'bow=3' (expected NAME="),
        (
            ["--vote", "--at", "bow=3,0", "simulated", "simulated:seed=2"],
            "unknown receiver 'bow'"
        ),
        (["--vote", "a=simulated", "a=simulated:seed=2"], "two receivers have the name 'a'"),
    ])
    func `mistakes are usage errors`(words: [String], message: String) async throws {
        for command in [["monitor"], ["serve"], ["record", "-o", "/dev/null/x.nmea"]] {
            let run = try await CommandRun(words: command + words)
            #expect(await run.status() == 2)
            let messages = try await run.messages()
            #expect(messages.contains { $0.contains(message) }, "\(messages)")
        }
    }

    @Test func `recordings of a vote are not replayed so fast that they do not stay together`()
        async throws
    {
        let run = try await CommandRun(
            words: ["monitor", "--vote", "--speed", "51", "a.nmea", "b.nmea"])
        #expect(await run.status() == 2)
        let messages = try await run.messages()
        #expect(messages.contains { $0.contains("at most 50 times as fast") }, "\(messages)")
    }

    @Test func `a vote sets no clock`() async throws {
        let folder = try TemporaryFolder()
        let words = [
            "serve", "--vote", "--chrony", folder.path("chrony"), "/dev/null", "/dev/zero",
        ]
        let run = try await CommandRun(words: words)
        #expect(await run.status() == 2)
    }
}

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
