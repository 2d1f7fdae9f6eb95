// SPDX-License-Identifier: MIT
import GNSS
import GPSCommands
import GPSReceivers
import GPSTestSupport
import Testing

/// The limit of messages that data causes.
@Suite(.timeLimit(.generous))
struct MessageLimiterTests {
    private let start = MonotonicInstant.now

    @Test func `of many messages with one cause twelve are written, and the number of the others`()
    {
        var limiter = MessageLimiter()
        let passed = (0..<2000).count { number in
            limiter.passes("/dev/a reports positions in the datum W\(number % 7)X", at: start)
        }
        #expect(passed == 12)
        let passesOther = limiter.passes("/dev/a is lost", at: start)
        #expect(passesOther)
        let early = limiter.takeCounts(at: start + .seconds(59))
        #expect(early.isEmpty)
        #expect(limiter.deadline == start + .seconds(60))
        let counts = limiter.takeCounts(at: start + .seconds(60))
        #expect(
            counts == [
                "1988 messages like this in the last minute: "
                    + "/dev/a reports positions in the datum W4X"
            ])
        #expect(limiter.deadline == nil)
        let passesLater = limiter.passes(
            "/dev/a reports positions in the datum W1X", at: start + .seconds(61))
        #expect(passesLater)
    }

    @Test func `messages with words from data are limited together`() {
        var limiter = MessageLimiter()
        let letters = Array("abcdefghijklmnopqrstuvwxyz")
        let passed = (0..<10_000).count { number in
            let word = String([
                letters[number % 26], letters[number / 26 % 26], letters[number / 676],
            ])
            return limiter.passes("receiver says \(word)", at: start)
        }
        #expect(passed == 60)
        let counts = limiter.takeCounts(at: start + .seconds(9), isEnd: true)
        #expect(counts.count == 1)
        #expect(counts.first?.contains("like this in the last 9 s: receiver says") == true)
    }

    @Test func `routine messages leave warnings and errors their own sixty`() {
        var limiter = MessageLimiter()
        for number in 0..<1000 {
            _ = limiter.passes("\(number) again", cause: .event("\(number)"), at: start)
        }
        for level in [MessageLevel.warning, .error] {
            let passed = (0..<100).count {
                limiter.passes("lost", level, cause: .event("\($0)"), at: start)
            }
            #expect(passed == 60)
        }
    }

    @Test func `messages of one event of one receiver have one cause, whatever their text`() {
        var limiter = MessageLimiter()
        let datum = ReceiverUpdate.notice(.otherDatum("P90"))
        let words = ["one", "two", "three", "four", "five"]
        func passed(_ receiver: String) -> Int {
            (0..<40).count {
                limiter.passes(
                    "in \(words[$0 % 5])", cause: datum.cause(of: receiver), at: start)
            }
        }
        #expect(passed("/dev/a") == 12)
        #expect(passed("/dev/b") == 12)
        let counts = limiter.takeCounts(at: start + .seconds(60))
        #expect(counts.count == 2, "one for each receiver")
    }

    @Test func `the baud rates that are tried at a start are all shown`() {
        var limiter = MessageLimiter()
        let rate = ReceiverUpdate.notice(.tryingRate(LineSettings(.default)))
        let cause = rate.cause(of: "/dev/a")
        let passed = (0..<100).count { limiter.passes("trying \($0)", cause: cause, at: start) }
        #expect(passed == 100)
        #expect(limiter.deadline == nil)
    }

    @Test func `a receiver whose datum changes with every epoch does not fill the log`()
        async throws
    {
        let receiver = try ScriptedReceiver()
        let run = try await CommandRun(words: ["monitor", "-f", "text", receiver.path])
        await receiver.waitForReader()
        let data = ["$GPDTM,P90,,1.0,N,1.0,E,0.0,W84*6D", "$GPDTM,999,,1.0,N,1.0,E,0.0,W84*0D"]
        for second in 0..<40 {
            await receiver.send("\(data[second % 2])\r\n")
            await receiver.sendEpoch(second)
        }
        #expect(try await run.message(with: "datum") != nil)
        await run.end()
        // Several of these may arrive together.
        let messages = try await run.messages().filter { $0.contains("datum") }
        #expect(messages.count < 13, "\(messages)")
    }
}

/// The option `--columns` of `monitor`, `record` and `convert`.
@Suite(.timeLimit(.generous))
struct ColumnsTests {
    private let folder: TemporaryFolder
    /// A recording of an hour, with a depth in each cycle.
    private let recording: String

    init() throws {
        folder = try TemporaryFolder()
        let depth = Array("$SDDPT,7.9,-1.2,50.0*40\r\n".utf8)
        let epochs = (0..<3600).flatMap { ScriptedReceiver.epoch($0) + depth }
        recording = try folder.file("boat.nmea", epochs)
    }

    /// Returns the cells of a column.
    private func column(_ title: String, of lines: [String]) throws -> [String] {
        let rows = lines.map { $0.split(separator: ",", omittingEmptySubsequences: false) }
        let index = try #require(rows.first?.firstIndex { $0 == title })
        return rows.dropFirst().map { String($0[index]) }
    }

    @Test(arguments: [
        ["monitor", "-f", "csv", "-n", "9", "--speed", "1e6"], ["convert", "-t", "csv"],
        ["convert", "-t", "csv", "--jobs", "3"],
    ])
    func `CSV has depths on request`(_ words: [String]) async throws {
        let run = try await CommandRun(words: words + ["--columns", "instruments", recording])
        let lines = try await run.lines()
        #expect(lines.count > 9)
        // The cycle of the first fix ends before the sentence is complete.
        #expect(try column("depth_m", of: lines).dropFirst(4).allSatisfy { $0 == "7.90" })
        #expect(try column("latitude_deg", of: lines).allSatisfy { $0.hasPrefix("48.2") })
        #expect(!lines[0].contains("vote"))
    }

    @Test func `GeoJSON has depths, which are read back`() async throws {
        let path = folder.path("boat.geojson")
        let first = try await CommandRun(words: ["convert", recording, "-o", path])
        #expect(await first.status() == 0)
        let words = ["convert", path, "-t", "csv", "--columns", "instruments"]
        let lines = try await CommandRun(words: words).lines()
        #expect(try column("depth_m", of: lines).dropFirst(4).allSatisfy { $0 == "7.90" })
    }

    @Test func `a recording has the columns, and is continued only with them`() async throws {
        let path = folder.path("a.csv")
        let words = ["record", recording, "-o", path]
        let first = try await CommandRun(words: words + ["--columns", "instruments,vote"])
        #expect(await first.status() == 0)
        let lines = GPSTestSupport.lines(of: readFile(path))
        #expect(try column("depth_m", of: lines).last == "7.90")
        #expect(try column("vote", of: lines).allSatisfy(\.isEmpty))
        let other = try await CommandRun(words: words)
        #expect(await other.status() != 0)
        #expect(GPSTestSupport.lines(of: readFile(path)) == lines)
    }
}

/// Standard output that cannot be written to.
@Suite(.timeLimit(.generous))
struct StandardOutputTests {
    private static let commands: [[String]] = [
        ["--help"], ["help", "serve"], ["help"], ["record", "--help"], ["-h"], ["--version"],
        ["list", "--version"], ["list", "--json"], ["--completions", "bash"],
        ["--man-page", "convert"], ["doctor", "simulated:rate=10"],
        ["convert", "$0", "--to", "csv"], ["convert", "$0", "--summary"],
        ["monitor", "$0", "-f", "text", "--speed", "1e6"],
        ["monitor", "$0", "-f", "json", "--speed", "1e6"],
        ["monitor", "$0", "-f", "csv", "--speed", "1e6"],
        ["monitor", "$0", "-f", "nmea", "--speed", "1e6"],
    ]

    private func run(_ words: [String], redirection: String) async throws -> CommandRun {
        let folder = try TemporaryFolder()
        let file = try folder.file("a.nmea", (0..<3).flatMap { ScriptedReceiver.epoch($0) })
        let script = "exec \"$@\" \(redirection)"
        let run = try await CommandRun(
            "/bin/sh",
            words: ["-c", script, "sh", CommandRun.executable]
                + words.map { $0 == "$0" ? file : $0 })
        _ = await run.status()
        withExtendedLifetime(folder) {}
        return run
    }

    @Test(arguments: commands)
    func `a full disk behind standard output is an error of every command`(
        _ words: [String]
    ) async throws {
        let run = try await run(words, redirection: ">/dev/full")
        #expect(await run.status() == 1)
        let message = "cannot write to standard output: No space left on device"
        #expect(try await run.message(with: message) != nil)
    }

    @Test(arguments: [["--help"], ["help", "serve"], ["--version"], ["--man-page", "serve"]])
    func `help without a reader ends quietly`(_ words: [String]) async throws {
        let run = try await run(words, redirection: "2>&1 >/dev/null | :")
        #expect(try await run.messages() == [])
    }
}
