// SPDX-License-Identifier: MIT
import GNSS
import GPSTestSupport
import Glibc
import NMEA
import Testing

/// The origin is unknown until it can be determined, with real pipes and servers.
@Suite(.timeLimit(.generous))
struct OriginTests {
    private let folder: TemporaryFolder
    /// A recording from an earlier day.
    private let old: String

    init() throws {
        folder = try TemporaryFolder()
        old = try folder.file("old.nmea", (0..<3).flatMap { ScriptedReceiver.epoch($0) })
    }

    /// Returns the lines that a command prints for a file read through a pipe.
    private func piped(_ file: String, _ words: String) async throws -> [String] {
        let run = try await CommandRun(
            "/bin/sh", words: ["-c", "cat '\(file)' | '\(CommandRun.executable)' \(words)"])
        return try await run.lines()
    }

    /// Returns a recording of two current fixes, and before them one without a position.
    private func fresh() throws -> String {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        var writer = SentenceWriter()
        for second in -1...1 {
            var fix = Fix()
            let moment = UTCTime(unixNanoseconds: Int64(time.tv_sec + second) * 1_000_000_000)
            fix.time = moment
            fix.timeOfDay = moment?.time
            if second >= 0 {
                fix.coordinate = Coordinate(latitude: 48.2, longitude: 16.36)
                (fix.mode, fix.quality, fix.altitude) = (.threeD, .autonomous, 171)
                fix.dilution.hdop = 1
            }
            writer.write(fix)
        }
        return try folder.file("fresh.nmea", writer.bytes)
    }

    @Test func `an old recording in a pipe is marked as a replay in every format`() async throws {
        let text = try await piped(old, "monitor -")
        #expect(text.count == 3 && text.allSatisfy { $0.hasPrefix("REPLAY ") })
        let csv = try await piped(old, "monitor - -f csv").dropFirst()
        #expect(csv.count == 3 && csv.allSatisfy { $0.hasSuffix(",replay,-") })
        let json = try await piped(old, "monitor - -f json")
        let devices = json.filter { $0.contains(#""class":"DEVICE""#) }
        #expect(devices.count == 2)
        #expect(devices.first?.contains("subtype") == false)
        #expect(devices.last?.contains(#""subtype":"replay""#) == true)
    }

    @Test func `a pipe whose times are those of the clock is live, and unknown before that`()
        async throws
    {
        // A live time differs from the clock by at most ten seconds.
        let pause = Duration.seconds(8)
        var text: [String] = []
        let isText = try await repeated(ifPausedFor: pause) {
            text = try await piped(fresh(), "monitor -")
            return text.map { $0.prefix { $0 != " " } } == ["UNKNOWN", "LIVE", "LIVE"]
        }
        #expect(isText, "\(text)")
        var csv: [String] = []
        let isCSV = try await repeated(ifPausedFor: pause) {
            csv = try await piped(fresh(), "monitor - -f csv")
            return csv.count == 3 && csv.dropFirst().allSatisfy { $0.hasSuffix(",live,-") }
        }
        #expect(isCSV, "\(csv)")
    }

    @Test func `a named pipe is treated in the same way`() async throws {
        let path = folder.path("pipe")
        try #require(mkfifo(path, 0o600) == 0)
        let run = try await CommandRun(
            "/bin/sh",
            words: ["-c", "cat '\(old)' >'\(path)' & '\(CommandRun.executable)' monitor '\(path)'"])
        let lines = try await run.lines()
        #expect(lines.count == 3 && lines.allSatisfy { $0.hasPrefix("REPLAY ") })
    }

    @Test func `with --live a pipe is live, and a file is refused`() async throws {
        let text = try await piped(old, "monitor - --live")
        #expect(text.count == 3 && text.allSatisfy { $0.hasPrefix("LIVE ") })
        let run = try await CommandRun(words: ["monitor", old, "--live"])
        let message = try await run.message()
        #expect(message?.contains("--live is only for data from a pipe") == true)
        #expect(await run.status() == 2)
    }

    @Test func `a simulated receiver behind a server is unknown before its first fix`()
        async throws
    {
        let terminal = try ScriptedReceiver()
        let run = try await CommandRun(words: ["monitor", terminal.path, "-b", "9600"])
        await terminal.waitForReader()
        async let labels: [Substring] = {
            var labels: [Substring] = []
            while let line = try await run.line() {
                labels.append(line.prefix { $0 != " " })
                if labels.last == "SIMULATED" { break }
            }
            return labels
        }()
        for second in 0..<4 { await terminal.sendEpoch(second, quality: .invalid) }
        for second in 4..<8 { await terminal.sendEpoch(second, quality: .simulated) }
        let all = try await labels
        #expect(!all.contains("LIVE"))
        #expect(all.first == "UNKNOWN" && all.last == "SIMULATED")
        run.send(SIGINT)
        _ = await run.status()
    }

    @Test(arguments: [FixQuality.simulated, .autonomous])
    func `a raw recording names the origin once it is known`(_ quality: FixQuality) async throws {
        let epochs = (0..<3).flatMap { ScriptedReceiver.epoch($0, quality: quality) }
        let file = try folder.file("piped.nmea", epochs)
        let path = folder.path("recorded.nmea")
        _ = try await piped(file, "record - -o '\(path)'")
        let lines = GPSTestSupport.lines(of: readFile(path))
        let name = quality == .simulated ? "simulated" : "replay"
        #expect(lines.filter { $0.hasPrefix("# origin") } == ["# origin: \(name)\r"])
        // The other lines are exactly the received bytes.
        let rest = lines.filter { !$0.hasPrefix("# ") }.map { $0 + "\n" }.joined()
        #expect(Array(rest.utf8) == epochs)
    }

    @Test
    func `a recording of a simulated receiver stays simulated, regardless of its sentences`()
        async throws
    {
        let head = "# gpsbridge recording 1\r\n# source: simulated\r\n# origin: simulated\r\n"
        let epochs = (0..<3).flatMap { ScriptedReceiver.epoch($0, quality: .differential) }
        let path = try folder.file("simulated.nmea", Array(head.utf8) + epochs)
        let text = try await CommandRun(words: ["monitor", path, "--speed", "1000"]).lines()
        #expect(text.count == 3 && text.allSatisfy { $0.hasPrefix("SIMULATED ") })
        for words in [
            ["convert", path, "--to", "csv"], ["convert", path, "--to", "csv", "-j", "1"],
        ] {
            let rows = try await CommandRun(words: words).lines().dropFirst()
            #expect(rows.count == 3 && rows.allSatisfy { $0.contains(",simulated,") })
        }
        let json = try await CommandRun(words: ["convert", path, "--to", "json"]).lines()
        #expect(json.allSatisfy { $0.contains(#""status":8"#) })
    }

    @Test func `a recording that another receiver continued has the origin of each part`()
        async throws
    {
        func part(_ origin: String?, _ seconds: Range<Int>) -> [UInt8] {
            let line = origin.map { "# origin: \($0)\r\n" } ?? ""
            let head = "# gpsbridge recording 1\r\n# source: a\r\n\(line)"
            return Array(head.utf8)
                + seconds.flatMap { ScriptedReceiver.epoch($0, quality: .differential) }
        }
        let parts =
            part("simulated", 0..<3) + part("live", 3..<6) + part("simulated", 6..<8)
            + part(nil, 8..<10)
        let isSimulated = (0..<10).map { $0 < 3 || 6..<8 ~= $0 }
        let path = try folder.file("drive.nmea", parts)
        for words in [[path], [path, "-j", "1"], [path, "--merge"], ["-"]] {
            let run = try await CommandRun(
                words: ["convert", "--to", "csv"] + words, input: path)
            let rows = try await run.lines().dropFirst()
            #expect(rows.map { $0.contains(",simulated,") } == isSimulated, "\(words)")
            #expect(rows.count { $0.contains(",replay,") } == 5, "\(words)")
            if words[0] != "-" { #expect(rows.allSatisfy { $0.hasSuffix(",drive.nmea") }) }
        }
        let plot = folder.path("a.svg")
        let gpx = try await CommandRun(words: ["convert", path, "--to", "gpx", "--plot", plot])
        let tracks = try await gpx.lines().filter { $0.hasPrefix("<trk>") }
        #expect(tracks.map { $0.contains("SIMULATED") } == [true, false, true, false])
        let image = GPSTestSupport.lines(of: readFile(plot)).joined()
        #expect(image.contains("PARTLY SIMULATED: 5 of 10 positions"))
    }

    @Test func `a recording that states its origin after the first fixes is one track`()
        async throws
    {
        let begin = Array("# gpsbridge recording 1\r\n# source: -\r\n".utf8)
        let line = Array("# origin: simulated\r\n".utf8)
        func epochs(_ seconds: Range<Int>) -> [UInt8] {
            seconds.flatMap { ScriptedReceiver.epoch($0, quality: .simulated) }
        }
        let path = try folder.file("late.nmea", begin + epochs(0..<3) + line + epochs(3..<6))
        for words in [[path], [path, "-j", "1"], [path, "--merge"], ["-"]] {
            let gpx = try await CommandRun(
                words: ["convert", "--to", "gpx"] + words, input: path)
            #expect(try await gpx.lines().count { $0.hasPrefix("<trk>") } == 1, "\(words)")
            let csv = try await CommandRun(
                words: ["convert", "--to", "csv"] + words, input: path)
            let rows = try await csv.lines().dropFirst()
            #expect(rows.count == 6 && rows.allSatisfy { $0.contains(",1,simulated,") }, "\(words)")
        }
        let real = (6..<8).flatMap { ScriptedReceiver.epoch($0, quality: .differential) }
        let continued = try folder.file(
            "continued.nmea", begin + epochs(0..<3) + line + epochs(3..<6) + begin + real)
        let csv = try await CommandRun(words: ["convert", continued, "--to", "csv"])
        let rows = try await csv.lines().dropFirst()
        #expect(
            rows.map { $0.contains(",1,simulated,") }
                == [true, true, true, true, true, true, false, false])
        #expect(rows.suffix(2).allSatisfy { $0.contains(",2,replay,") })
    }

    @Test func `recorded fixes have the origin known at their time`() async throws {
        let path = folder.path("recorded.csv")
        _ = try await piped(old, "record - -o '\(path)'")
        let rows = GPSTestSupport.lines(of: readFile(path)).dropFirst()
        #expect(rows.count == 3 && rows.allSatisfy { $0.contains(",replay,") })
    }
}

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
