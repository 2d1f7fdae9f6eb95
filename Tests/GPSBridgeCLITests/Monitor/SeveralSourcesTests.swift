// SPDX-License-Identifier: MIT
import GPSTestSupport
import Glibc
import Testing

@Suite(.timeLimit(.generous))
struct SeveralSourcesTests {
    @Test func `json reports several receivers in the order of arrival, with their names`()
        async throws
    {
        let receivers = [try ScriptedReceiver(), try ScriptedReceiver()]
        let run = try await CommandRun(
            words: ["monitor", "-b", "9600", "--format", "json"] + receivers.map(\.path))
        for receiver in receivers { await receiver.waitForReader() }
        for second in 0..<8 {
            let receiver = receivers[second % 2]
            await receiver.sendEpoch(second)
            let line = try #require(await run.line(with: "TPV"))
            #expect(line.hasPrefix("{\"class\":\"TPV\",\"device\":\"\(receiver.path)\",\"mode\":3"))
            #expect(line.contains("\"time\":\"2026-03-21T12:00:0\(second).000Z\""))
        }
        await run.end(by: SIGINT)
    }

    @Test func `a lost receiver delays no other, and is read again after it returns`()
        async throws
    {
        let folder = try TemporaryFolder()
        let link = folder.path("gps")
        var receiver = try ScriptedReceiver(link: link)
        let other = try ScriptedReceiver()
        let run = try await CommandRun(
            words: ["monitor", "-b", "9600", "-f", "json", link, other.path])
        await receiver.waitForReader()
        await other.waitForReader()
        receiver.unplug()
        let gone = "{\"class\":\"DEVICE\",\"path\":\"\(link)\",\"activated\":0}"
        #expect(try await run.line(with: "\"activated\":0") == gone)
        for second in 0..<3 { await other.sendEpoch(second) }
        #expect(try await run.line(with: "12:00:02")?.contains(other.path) == true)
        receiver = try ScriptedReceiver(link: link)
        await receiver.waitForReader()
        for second in 10..<13 { await receiver.sendEpoch(second) }
        #expect(try await run.line(with: "12:00:12")?.contains(link) == true)
        await run.end()
    }

    @Test func `a link that changes to another receiver's tty reports that receiver`()
        async throws
    {
        let folder = try TemporaryFolder()
        let link = folder.path("gps")
        let (first, second) = (try ScriptedReceiver(), try ScriptedReceiver())
        symlink(first.path, link)
        let words = ["monitor", "-f", "json", "-b", "9600", second.path, link]
        let run = try await CommandRun(words: words)
        for receiver in [first, second] { await receiver.waitForReader() }
        unlink(link)
        symlink(second.path, link)
        first.unplug()
        #expect(try await run.line(with: "\"activated\":0")?.contains(link) == true)
        #expect(try await run.message(with: "\(second.path) is back") != nil)
        for time in 10..<13 { await second.sendEpoch(time) }
        for _ in 0..<2 {
            #expect(try await run.line(with: "\"mode\":3,\"time\":\"2026-03-21T12:00:12") != nil)
        }
        await run.end()
    }

    @Test func `a source that cannot be opened is reported, and the others continue`() async throws
    {
        // A port below 1024, on which nothing listens.
        let words = ["monitor", "-f", "json", "simulated:rate=20", "tcp://127.0.0.1:1"]
        let run = try await CommandRun(words: words)
        #expect(try await run.message()?.hasPrefix("gpsbridge: waiting: ") == true)
        #expect(try await run.line(with: "TPV") != nil)
        await run.end()
    }

    @Test func `recordings end one by one, and one without a sentence determines the exit status`()
        async throws
    {
        let folder = try TemporaryFolder()
        let track = try folder.file("track.nmea", (0..<40).flatMap { ScriptedReceiver.epoch($0) })
        let empty = try folder.file("empty.nmea", Array("nothing\r\n".utf8))
        let words = ["monitor", "-f", "text", "--speed", "1000", empty, track]
        let run = try await CommandRun(words: words)
        let messages = try await run.messages()
        #expect(messages.count == 1, "\(messages)")
        #expect(messages.first?.hasPrefix("gpsbridge: \(empty) is not in a known format") == true)
        let lines = try await run.lines()
        #expect(lines.count == 40)
        // The name follows the columns, which are the same as for one source.
        #expect(lines.allSatisfy { $0.hasSuffix(" 3D track.nmea") })
        #expect(await run.status() == 3)
    }

    @Test func `the count is of all sources together, and never exceeded`() async throws {
        let words = ["monitor", "-f", "text", "-n", "21"]
        let run = try await CommandRun(
            words: words + [
                "simulated:rate=50", "simulated:rate=50,lat=10", "simulated:rate=50,lat=20",
            ])
        #expect(try await run.lines().count == 21)
        #expect(await run.status() == 0)
    }

    @Test func `csv has one header, and a source in each row`() async throws {
        let names = ["simulated:rate=20", "simulated:lat=10"]
        let run = try await CommandRun(words: ["monitor", "-f", "csv", "-n", "30"] + names)
        let lines = try await run.lines()
        #expect(lines.count == 31)
        #expect(lines.first?.hasPrefix("time,latitude_deg,") == true)
        let ends = names.map { ",simulated,\($0)" }
        #expect(lines.dropFirst().allSatisfy { line in ends.contains { line.hasSuffix($0) } })
        #expect(await run.status() == 0)
        // On a busy machine, one of them may have sent all 30.
        let endless = try await CommandRun(words: ["monitor", "-f", "csv"] + names)
        var missing = Set(ends)
        while !missing.isEmpty {
            let line = try #require(await endless.line())
            missing = missing.filter { !line.hasSuffix($0) }
        }
        await endless.end()
    }

    @Test func `all output is printed before the end, even with a slow reader`() async throws {
        let folder = try TemporaryFolder()
        let epochs = (0..<3600).flatMap { ScriptedReceiver.epoch($0) }
        let track = try folder.file("track.nmea", epochs)
        let empty = try folder.file("empty.nmea", Array("nothing\r\n".utf8))
        let words = ["monitor", "-f", "json", "--speed", "1e6", track, empty]
        let run = try await CommandRun(words: words)
        // The output is not read during the run, and has room for only a part.
        #expect(try await run.message()?.contains("\(empty) is not in a known format") == true)
        let lines = try await run.lines()
        #expect(lines.count { $0.hasPrefix("{\"class\":\"TPV\"") } == 3600)
        #expect(lines.allSatisfy { $0.hasPrefix("{") && $0.hasSuffix("}") })
        #expect(await run.status() == 3)
    }

    @Test func `sources of the same name are numbered`() async throws {
        let folders = [try TemporaryFolder(), try TemporaryFolder()]
        let paths = try folders.enumerated().map {
            try $1.file("track.nmea", ScriptedReceiver.epoch($0))
        }
        let run = try await CommandRun(words: ["monitor", "-f", "text"] + paths)
        let lines = try await run.lines()
        #expect(
            Set(lines.compactMap { $0.split(separator: " ").last.map(String.init) }) == Set(paths))
        let names = ["simulated:rate=20", "simulated:rate=20 (2)"]
        let simulated = try await CommandRun(
            words: ["monitor", "-f", "json", names[0], names[0]])
        for name in names { #expect(try await simulated.line(with: "\"\(name)\"") != nil) }
        await simulated.end()
    }

    @Test func `a server of another kind than the URL's ends monitor with advice`() async throws {
        let server = try await CommandRun(
            words: ["serve", "--user", "root", "--listen", "127.0.0.1:0", "simulated:rate=20"])
        let served = try #require(try await server.message(with: "clients at 127.0.0.1:"))
        let port = try #require(served.split(separator: ":").last)
        let words = ["monitor", "-f", "json", "simulated", "tcp://127.0.0.1:\(port)"]
        let run = try await CommandRun(words: words)
        #expect(try await run.message(with: "gpsd://127.0.0.1:\(port)") != nil)
        _ = try await run.lines()
        #expect(await run.status() == 1)
        server.send(SIGTERM)
    }
}
