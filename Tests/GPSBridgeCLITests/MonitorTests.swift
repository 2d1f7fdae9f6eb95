// SPDX-License-Identifier: MIT
import GPSTestSupport
import Glibc
import Testing

@Suite(.timeLimit(.generous))
struct MonitorTests {
    @Test func `json has one TPV per epoch, each before the next epoch is sent`() async throws {
        let receiver = try ScriptedReceiver()
        let run = try await CommandRun(
            words: ["monitor", receiver.path, "-b", "9600", "--format", "json"])
        await receiver.waitForReader()
        for second in 0..<8 {
            await receiver.sendEpoch(second)
            // Not delayed by one epoch: the line arrives although nothing more is sent.
            let line = try #require(await run.line(with: "TPV"))
            #expect(line.contains("\"time\":\"2026-03-21T12:00:0\(second).000Z\""))
            #expect(line.hasPrefix("{\"class\":\"TPV\",\"device\":\"\(receiver.path)\",\"mode\":3"))
        }
        run.send(SIGINT)
        #expect(try await run.lines() == [])
        #expect(await run.status() == 0)
    }

    @Test func `JSON has arrival times for a live receiver and none for a recording`()
        async throws
    {
        let receiver = try ScriptedReceiver()
        let run = try await CommandRun(
            words: ["monitor", receiver.path, "-b", "9600", "-f", "json", "-n", "1"])
        await receiver.waitForReader()
        let start = Self.now
        for second in 0..<3 { await receiver.sendEpoch(second) }
        let line = try #require(await run.line(with: "TPV"))
        func member(_ name: String) -> Double? {
            line.split(separator: "\"\(name)\":").dropFirst().first
                .flatMap { Double($0.prefix { $0.isNumber || $0 == "." }) }
        }
        let (arrived, reported) = (try #require(member("sor")), try #require(member("rtime")))
        // Times of the system's clock in microseconds.
        #expect(start - 0.001 <= arrived && arrived <= reported && reported <= Self.now + 0.001)
        let folder = try TemporaryFolder()
        let path = try folder.file("track.nmea", (0..<3).flatMap { ScriptedReceiver.epoch($0) })
        let lines = try await CommandRun(words: ["monitor", path, "-f", "json"]).lines()
        #expect(!lines.contains { $0.contains("rtime") || $0.contains("sor") })
    }

    private static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    @Test func `json has one SKY per complete view`() async throws {
        let run = try await CommandRun(
            words: ["monitor", "simulated:rate=20", "--format", "json", "--count", "10"])
        let lines = try await run.lines()
        let fixes = lines.filter { $0.hasPrefix("{\"class\":\"TPV\"") }
        let views = lines.filter { $0.hasPrefix("{\"class\":\"SKY\"") }
        #expect(fixes.count == 10)
        #expect(views.count == 9 || views.count == 10)
        #expect(Set(fixes).count == 10)
        #expect(views.allSatisfy { $0.contains("\"nSat\":") && $0.contains("\"used\":true") })
        #expect(await run.status() == 0)
    }

    @Test func `unplugging is reported at once, and reading resumes after replugging`() async throws
    {
        let folder = try TemporaryFolder()
        let link = folder.path("gps")
        var receiver = try ScriptedReceiver(link: link)
        let run = try await CommandRun(words: ["monitor", link, "-b", "9600", "-f", "json"])
        await receiver.waitForReader()
        for second in 0..<3 { await receiver.sendEpoch(second) }
        _ = try await run.line(with: "12:00:02")
        receiver.unplug()
        #expect(try await run.line() == "{\"class\":\"TPV\",\"device\":\"\(link)\",\"mode\":1}")
        let gone = try await run.line()
        #expect(gone == "{\"class\":\"DEVICE\",\"path\":\"\(link)\",\"activated\":0}")
        receiver = try ScriptedReceiver(link: link)
        await receiver.waitForReader()
        for second in 10..<13 { await receiver.sendEpoch(second) }
        #expect(try await run.line(with: "12:00:12") != nil)
        run.send(SIGTERM)
        // The first attempt to open it again may also have been reported.
        let lost = "gpsbridge: \(link) is gone: waiting for it to come back"
        #expect(try await run.message(with: "is gone") == lost)
        #expect(try await run.message(with: "is back") == "gpsbridge: \(link) is back")
        #expect(await run.status() == 0)
    }

    @Test
    func `data from during sleep is kept, and a receiver unplugged during sleep is found again`()
        async throws
    {
        let folder = try TemporaryFolder()
        let link = folder.path("gps")
        var receiver = try ScriptedReceiver(link: link)
        let run = try await CommandRun(words: ["monitor", link, "-b", "9600", "-f", "json"])
        await receiver.waitForReader()
        for second in 0..<3 { await receiver.sendEpoch(second) }
        _ = try await run.line(with: "12:00:02")

        await run.suspend()
        for second in 3..<6 { await receiver.sendEpoch(second) }
        run.send(SIGCONT)
        for second in 3..<6 { #expect(try await run.line(with: "12:00:0\(second)") != nil) }

        await run.suspend()
        receiver.unplug()
        receiver = try ScriptedReceiver(link: link)
        run.send(SIGCONT)
        #expect(try await run.line(with: "\"activated\":0") != nil)
        await receiver.waitForReader()
        for second in 10..<13 { await receiver.sendEpoch(second) }
        #expect(try await run.line(with: "12:00:12") != nil)
        await run.end()
    }

    @Test(arguments: ["serial:NoSuchNumber", "/dev/gnss/by-id/no-such-receiver-if00"])
    func `monitor waits for a receiver with a persistent name`(_ name: String) async throws {
        let run = try await CommandRun(words: ["monitor", name, "-f", "json"])
        #expect(
            try await run.message()
                == "gpsbridge: waiting: There is no \(name): plug the receiver in or check the name."
        )
        await run.end()
    }

    @Test func `a detected baud rate is reported`() async throws {
        let folder = try TemporaryFolder()
        let link = folder.path("gps")
        let simulation = try await CommandRun(
            words: ["simulate", "--link", link, "--rate", "5", "--baud", "38400"])
        #expect(try await simulation.line() == link)
        let run = try await CommandRun(words: ["monitor", link, "-f", "json", "-n", "1"])
        #expect(
            try await run.message(with: "sends at") == "gpsbridge: \(link) sends at 38400 baud")
        #expect(await run.status() == 0)
        await simulation.end()
    }

    @Test func `each cause that keeps a lost receiver away is reported once`() async throws {
        let folder = try TemporaryFolder()
        let link = folder.path("gps")
        var receiver = try ScriptedReceiver(link: link)
        let run = try await CommandRun(words: ["monitor", link, "-f", "text"])
        await receiver.waitForReader()
        await receiver.sendEpoch(0)
        receiver.unplug()
        #expect(try await run.message(with: "is gone") != nil)
        #expect(mkdir(link, 0o700) == 0)
        let cause = try await run.message(with: "is a folder")
        #expect(cause == "gpsbridge: waiting: \(link) is a folder: name a tty or a file in it.")
        #expect(rmdir(link) == 0)
        receiver = try ScriptedReceiver(link: link)
        var later = ""
        while !later.hasSuffix(" is back"), let message = try await run.message() {
            #expect(message != cause)
            later = message
        }
        #expect(later == "gpsbridge: \(link) is back")
        run.send(SIGTERM)
        #expect(try await !run.messages().contains { $0 == cause })
        #expect(await run.status() == 0)
    }

    @Test func `a circle across the date line has valid longitudes`() async throws {
        let source = "simulated:lon=180,radius=1000,speed=500,rate=20"
        let run = try await CommandRun(words: ["monitor", source, "-f", "text", "-n", "3"])
        let lines = try await run.lines()
        #expect(lines.count == 3)
        #expect(lines.allSatisfy { $0.hasSuffix(" 3D") })
    }

    @Test(arguments: ["text", "json"])
    func `simulated data is marked in every line`(_ format: String) async throws {
        let run = try await CommandRun(
            words: ["monitor", "simulated:rate=20", "--format", format, "--count", "5"])
        let lines = try await run.lines().filter { !$0.contains("SKY") && !$0.contains("GST") }
        let label = format == "text" ? "SIMULATED" : "\"status\":8"
        #expect(lines.count >= 5)
        #expect(lines.allSatisfy { $0.contains(label) || $0.contains("\"subtype\":\"simulated\"") })
    }

    @Test func `a recording is replayed at the pace of its epochs, marked as a replay`()
        async throws
    {
        let folder = try TemporaryFolder()
        let path = try folder.file("track.nmea", (0..<11).flatMap { ScriptedReceiver.epoch($0) })
        let started = ContinuousClock.now
        let run = try await CommandRun(words: ["monitor", path, "--speed", "20", "-f", "text"])
        let lines = try await run.lines()
        #expect(started.duration(to: .now) >= .milliseconds(500))
        #expect(lines.count == 11)
        #expect(lines.allSatisfy { $0.hasPrefix("REPLAY ") })
        #expect(await run.status() == 0)
    }

    @Test func `a recording on standard input is replayed at the requested speed`() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("track.nmea", (0..<200).flatMap { ScriptedReceiver.epoch($0) })
        let run = try await CommandRun(
            words: ["monitor", "-", "--speed", "1000", "-f", "text"], input: path)
        #expect(try await run.lines().count == 200)
    }

    @Test func `nmea prints the sentences unchanged`() async throws {
        let folder = try TemporaryFolder()
        let sentences = (0..<3).flatMap { ScriptedReceiver.epoch($0) }
        let path = try folder.file("track.nmea", Array("noise\r\n".utf8) + sentences)
        let run = try await CommandRun(words: ["monitor", "-", "-f", "nmea"], input: path)
        let lines = try await run.lines()
        #expect(lines.map { $0 + "\n" }.joined() == String(decoding: sentences, as: UTF8.self))
    }

    @Test func `count and duration end monitor with status 0`() async throws {
        let counted = try await CommandRun(words: ["monitor", "simulated:rate=20", "-n", "3"])
        #expect(try await counted.lines().count == 3)
        #expect(await counted.status() == 0)
        let timed = try await CommandRun(words: ["monitor", "simulated", "--duration", "0.2"])
        #expect(await timed.status() == 0)
    }

    @Test func `a closed pipe ends monitor without a message`() async throws {
        let run = try await CommandRun(words: ["monitor", "simulated:rate=50", "-f", "json"])
        _ = try await run.line(with: "TPV")
        run.stopReading()
        #expect(await run.status() == 0)
    }

    @Test func `a signal ends monitor even if its output is not read`() async throws {
        let run = try await CommandRun(words: ["monitor", "simulated:rate=50", "-f", "json"])
        _ = try await run.line(with: "TPV")
        await run.end(by: SIGINT)
    }
}
