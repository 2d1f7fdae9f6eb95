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
        for second in 0..<60 {
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
        return 60
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
