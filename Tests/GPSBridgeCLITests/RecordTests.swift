// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import GPSTestSupport
import Glibc
import Testing

@Suite(.timeLimit(.generous))
struct RecordTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Returns the lines of a file.
    private func lines(_ path: String) -> [String] {
        GPSTestSupport.lines(of: readFile(path))
    }

    /// Returns the lines of a recording without the comments of gpsbridge.
    private func sentences(_ path: String) -> [String] {
        lines(path).filter { !$0.hasPrefix("# ") }
    }

    /// Waits until a file has `count` lines that contain a text, which have been written then.
    private func wait(for count: Int, _ text: String, in path: String) async throws {
        try await waitForFile(path) { bytes in
            GPSTestSupport.lines(of: bytes).count { $0.contains(text) } >= count
        }
    }

    @Test func `a receiver's bytes are recorded unchanged, with their times`() async throws {
        let receiver = try ScriptedReceiver()
        let path = folder.path("a.nmea")
        let run = try await CommandRun(
            words: ["record", receiver.path, "-b", "9600", "-o", path])
        // Bytes from before the setup of the tty are dropped.
        _ = try await run.message()
        for second in 0..<3 { await receiver.sendEpoch(second) }
        try await wait(for: 3, "GGA", in: path)
        await run.end()
        let expected = String(
            decoding: (0..<3).flatMap { ScriptedReceiver.epoch($0) }, as: UTF8.self)
        #expect(sentences(path).map { $0 + "\n" }.joined() == expected)
        let commentLines = lines(path).filter { $0.hasPrefix("# ") }
        #expect(
            commentLines.prefix(2) == ["# gpsbridge recording 1\r", "# source: \(receiver.path)\r"])
        #expect(commentLines.contains { $0.hasPrefix("# 2") })
        // A pseudo terminal: the origin is known with the first position.
        #expect(commentLines.filter { $0.hasPrefix("# origin") } == ["# origin: live\r"])
    }

    @Test func `a table with other columns is not continued, and the columns are named`()
        async throws
    {
        let path = folder.path("a.csv")
        let words = ["record", "simulated:rate=20", "-o", path]
        let first = try await CommandRun(words: words)
        try await wait(for: 3, "simulated", in: path)
        await first.end()
        let table = readFile(path)
        let other = try await CommandRun(words: words + ["--columns", "vote"])
        let message = try await other.messages().last
        let columns = "(without vote, vote_radius_m, vote_witnesses, vote_disagreeing)"
        #expect(message?.contains("other columns \(columns)") == true, "\(message ?? "")")
        #expect(await other.status() == 1)
        #expect(readFile(path) == table)
    }

    // As `timeout -s INT` does. The second signal used to end the process while it wrote.
    @Test func `two interrupts at once end a recording regularly`() async throws {
        for round in 0..<5 {
            let run = try await CommandRun(
                words: ["record", "simulated:rate=20", "-o", folder.path("\(round).gpx.gz")])
            #expect(try await run.message() != nil)
            run.send(SIGINT)
            run.send(SIGINT)
            #expect(await run.status() == 0)
        }
    }

    @Test func `the deletion of the file is reported, and a new one is begun`() async throws {
        let receiver = try ScriptedReceiver()
        let path = folder.path("a.nmea")
        let run = try await CommandRun(
            words: ["record", receiver.path, "-b", "9600", "-o", path])
        _ = try await run.message()
        await receiver.sendEpoch(0)
        try await wait(for: 1, "GGA", in: path)
        unlink(path)
        await receiver.sendEpoch(1)
        #expect(try await run.message(with: "was deleted or replaced") != nil)
        await receiver.sendEpoch(2)
        try await wait(for: 1, "GGA", in: path)
        #expect(lines(path).first == "# gpsbridge recording 1\r")
        await run.end()
    }

    // As `copytruncate` of logrotate does, and then its default.
    @Test(arguments: [
        "gpx", "csv", "geojson", "geojsons", "json", "igc", "nmea", "gpx.zst", "geojson.gz",
        "igc.zst", "json.gz", "nmea.zst",
    ])
    func `a file that is truncated or renamed loses nothing, and a new one is begun`(
        _ ending: String
    ) async throws {
        let path = folder.path("a.\(ending)")
        let run = try await CommandRun(words: ["record", "simulated:rate=10", "-o", path])
        try await waitForFile(path) { !$0.isEmpty }
        await run.suspend()
        _ = try folder.file("b.\(ending)", folder.bytes("a.\(ending)"))
        #expect(truncate(path, 0) == 0)
        run.send(SIGCONT)
        #expect(try await run.message(with: "was truncated") != nil)
        try await waitForFile(path) { !$0.isEmpty }
        #expect(rename(path, folder.path("c.\(ending)")) == 0)
        #expect(try await run.message(with: "was renamed") != nil)
        try await waitForFile(path) { !$0.isEmpty }
        await run.end()

        var times: [String] = []
        for name in ["b", "c", "a"] {
            let rows = try await CommandRun(
                words: ["convert", folder.path("\(name).\(ending)"), "--to", "csv"]
            ).lines().dropFirst()
            #expect(!rows.isEmpty)
            times += rows.map { String($0.prefix(24)) }
        }
        let instants = try times.map { try #require(UTCTime(iso8601: $0)).unixNanoseconds }
        #expect(zip(instants, instants.dropFirst()).allSatisfy { $1 - $0 == 100_000_000 })
    }

    @Test func `a file that is replaced by another program's is not touched`() async throws {
        let path = folder.path("a.gpx")
        let run = try await CommandRun(words: ["record", "simulated:rate=10", "-o", path])
        try await wait(for: 1, "<trkpt", in: path)
        let other = try folder.file("other", Array("<html>\n".utf8))
        #expect(rename(other, path) == 0)
        let message = try await run.message(with: "was deleted or replaced")
        let new = try #require(message?.split(separator: " ").last.map(String.init))
        #expect(new.hasPrefix(folder.path("a-2")) && new.hasSuffix(".gpx"))
        try await wait(for: 1, "<trkpt", in: new)
        #expect(readFile(path) == Array("<html>\n".utf8))
        await run.end()
    }

    @Test func `recording continues in a renamed file if there can be no new one`() async throws {
        #expect(mkdir(folder.path("old"), 0o777) == 0)
        let path = folder.path("old/a.gpx")
        let run = try await CommandRun(words: ["record", "simulated:rate=10", "-o", path])
        try await wait(for: 1, "<trkpt", in: path)
        #expect(rename(folder.path("old"), folder.path("new")) == 0)
        #expect(try await run.message(with: "continues in the renamed file") != nil)
        let count = lines(folder.path("new/a.gpx")).count { $0.contains("<trkpt") }
        try await wait(for: count + 1, "<trkpt", in: folder.path("new/a.gpx"))
        await run.end()
    }

    @Test func `recording continues when the receiver's rate changes`() async throws {
        let receiver = try RatedReceiver(9600)
        let path = folder.path("a.gpx")
        let run = try await CommandRun(words: ["record", receiver.path, "-o", path])
        // On the polling thread, because the others may be busy with other tests.
        let sending = Task(executorPreference: Poller.shared) { await receiver.sendEpochs() }
        defer { receiver.stop() }
        try await wait(for: 2, "<trkpt", in: path)
        receiver.change(to: 57_600)
        #expect(try await run.message(with: "no longer sends valid messages") != nil)
        #expect(try await run.message(with: "sends at 57600 baud") != nil)
        let count = lines(path).count { $0.contains("<trkpt") }
        try await wait(for: count + 2, "<trkpt", in: path)
        receiver.stop()
        await sending.value
        await run.end()
    }

    @Test(arguments: ["gpx", "geojson", "csv", "nmea"])
    func `recorded data survives kill -9, and is continued`(_ format: String) async throws {
        let tty = folder.path("gps")
        let path = folder.path("a.\(format)")
        let mark = ["gpx": "<trkpt", "geojson": "Feature\"", "csv": "3D", "nmea": "GGA"][format]
        let text = try #require(mark)
        for round in 1...3 {
            // A new pseudo terminal for each round: when its reader is killed, it stays locked for all users but root,
            // since its other end stays open.
            let receiver = try ScriptedReceiver(link: tty)
            let run = try await CommandRun(words: ["record", tty, "-b", "9600", "-o", path])
            _ = try await run.message()
            for second in 0..<4 { await receiver.sendEpoch(round * 10 + second) }
            // The last fix of a round may still wait for the end of its epoch.
            try await wait(for: round * 3, text, in: path)
            run.send(SIGKILL)
            #expect(await run.status() == -1)
            receiver.unplug()
        }
        let receiver = try ScriptedReceiver(link: tty)
        let last = try await CommandRun(words: ["record", tty, "-b", "9600", "-o", path])
        _ = try await last.message()
        await last.end(by: SIGINT)
        withExtendedLifetime(receiver) {}
        let all = lines(path)
        #expect(all.filter { $0.contains(text) }.count >= 9)
        if format == "gpx" {
            #expect(all.last == "</gpx>")
            #expect(all.filter { $0.hasPrefix("<trk>") }.count >= 3)
            #expect(
                all.filter { $0.hasPrefix("<trk>") }.count
                    == all.filter { $0 == "</trkseg></trk>" }.count)
        }
        if format == "geojson" { #expect(all.last == "]}") }
    }

    @Test func `a file that was cut off is repaired, and that of another program is not changed`()
        async throws
    {
        let recording = try folder.file("capture", (0..<3).flatMap { ScriptedReceiver.epoch($0) })
        let path = folder.path("a.gpx")
        let words = ["record", recording, "-o", path]
        #expect(await (try await CommandRun(words: words)).status() == 0)
        let whole = lines(path).map { $0 + "\n" }.joined()
        _ = try folder.file("a.gpx", Array(whole.utf8.dropLast(60)))
        #expect(await (try await CommandRun(words: words)).status() == 0)
        let repaired = lines(path)
        #expect(repaired.filter { $0.hasPrefix("<trkpt ") && $0.hasSuffix("</trkpt>") }.count == 5)
        #expect(repaired.filter { $0.hasPrefix("<trkpt ") }.count == 5)

        let other = try folder.file("b.gpx", Array("<gpx>mine</gpx>\n".utf8))
        try await CommandRun.expectFailure(
            ["record", recording, "-o", other], status: 1, "it exists and is not a recording")
        #expect(lines(other) == ["<gpx>mine</gpx>"])
    }

    @Test(arguments: [[], ["--duration", "1"]])
    func `two recordings to one file are refused`(_ duration: [String]) async throws {
        let receiver = try ScriptedReceiver()
        let path = folder.path("a.nmea")
        let first = try await CommandRun(
            words: ["record", receiver.path, "-b", "9600", "-o", path])
        _ = try await first.message()
        try await CommandRun.expectFailure(
            ["record", "simulated", "-o", path] + duration, status: 1,
            "another program records to it")
        await first.end(by: SIGINT)
    }

    @Test(arguments: [true, false])
    func `fixes without a date are reported if the format cannot store them`(
        hasDate: Bool
    ) async throws {
        let undated = "$GPGGA,120000.00,4812.5,N,01622.4,E,1,08,1.0,171.4,M,43.1,M,,*6A\r\n"
        let dated = "$GPRMC,120001.00,A,4812.5,N,01622.4,E,5.0,90.0,210326,,,A*6D\r\n"
        let capture = try folder.file("capture", Array((undated + (hasDate ? dated : "")).utf8))
        let path = folder.path("a.igc")
        let run = try await CommandRun(words: ["record", capture, "-o", path])
        let messages = try await run.messages()
        let omission =
            "gpsbridge: fixes without a date, or with a date that igc cannot store, are not written"
        #expect(messages.count { $0 == omission } == 1)
        #expect(await run.status() == (hasDate ? 0 : 3))
        #expect(lines(path).count { $0.hasPrefix("B") } == (hasDate ? 1 : 0))
    }

    @Test func `the input of record cannot be its output`() async throws {
        let path = try folder.file("a.nmea", ScriptedReceiver.epoch(0))
        let run = try await CommandRun(words: ["record", path, "-o", path])
        #expect(await run.status() == 1)
        #expect(sentences(path).count == 2)
    }

    @Test(arguments: ["nmea", "csv"])
    func `the beginning of an integrity alarm is reported once`(_ format: String) async throws {
        let epochs = (0..<60).flatMap { second in
            ScriptedReceiver.epoch(second, latitude: second < 10 ? 48.2 : 48.21)
        }
        let capture = try folder.file("capture", epochs)
        let run = try await CommandRun(
            words: ["record", capture, "-o", folder.path("a.\(format)")])
        let messages = try await run.messages()
        #expect(await run.status() == 0)
        #expect(
            messages.count { $0.contains("\(capture): integrity alarm: moved 11") } == 1,
            "\(messages)")
    }

    // Times of the copy would be the pace of its replay.
    @Test func `the copy of a recording has no times of arrival`() async throws {
        let capture = try folder.file("capture", (0..<3).flatMap { ScriptedReceiver.epoch($0) })
        let path = folder.path("a.nmea")
        let run = try await CommandRun(words: ["record", capture, "-o", path])
        #expect(await run.status() == 0)
        #expect(!lines(path).contains { $0.hasPrefix("# 2") })
        #expect(sentences(path).count == 6)
    }

    @Test func `recording continues when the receiver is back`() async throws {
        let path = folder.path("a.nmea")
        let link = folder.path("gps")
        let run: CommandRun
        do {
            let receiver = try ScriptedReceiver(link: link)
            run = try await CommandRun(words: ["record", link, "-b", "9600", "-o", path])
            _ = try await run.message()
            await receiver.sendEpoch(0)
            try await wait(for: 1, "GGA", in: path)
            receiver.unplug()
        }
        try await wait(for: 1, "# lost", in: path)
        #expect(try await run.message(with: "is gone") != nil)
        let receiver = try ScriptedReceiver(link: link)
        #expect(try await run.message(with: "is back") != nil)
        await receiver.sendEpoch(1)
        try await wait(for: 2, "GGA", in: path)
        await run.end(by: SIGINT)
    }

    // The reader of a file takes its first sentences for a whole cycle.
    @Test(arguments: ["nmea", "raw"])
    func `a recording begins with a whole cycle, also when the receiver is back`(
        _ format: String
    ) async throws {
        let epochs = (0..<6).map { ScriptedReceiver.epoch($0) }
        /// The end of a cycle, without its beginning, and two whole ones.
        func sendPart(_ second: Int, from receiver: ScriptedReceiver) async {
            let bytes = Array(epochs[second].suffix(100)) + epochs[second + 1] + epochs[second + 2]
            await receiver.send(String(decoding: bytes, as: UTF8.self))
        }
        let link = folder.path("gps")
        // Bytes that arrive later after the opening follow a silence, so they begin a cycle.
        let isAsExpected = try await repeated(ifPausedFor: .milliseconds(200)) {
            let path = folder.path("\(folder.names.count).a")
            let run: CommandRun
            do {
                let receiver = try ScriptedReceiver(link: link)
                run = try await CommandRun(
                    words: ["record", link, "-b", "9600", "-o", path, "-f", format])
                _ = try await run.message()
                await sendPart(0, from: receiver)
                try await wait(for: 1, "GGA,120002", in: path)
                receiver.unplug()
            }
            #expect(try await run.message(with: "is gone") != nil)
            let receiver = try ScriptedReceiver(link: link)
            #expect(try await run.message(with: "is back") != nil)
            await sendPart(3, from: receiver)
            try await wait(for: 1, "GGA,120005", in: path)
            await run.end(by: SIGINT)
            let expected = [1, 2, 4, 5].flatMap { epochs[$0] }
            return sentences(path).map { $0 + "\n" }.joined()
                == String(decoding: expected, as: UTF8.self)
        }
        #expect(isAsExpected)
    }

    @Test func `everything is recorded from a line without a receiver of positions`() async throws {
        let receiver = try ScriptedReceiver()
        let path = folder.path("a.nmea")
        let run = try await CommandRun(words: ["record", receiver.path, "-b", "9600", "-o", path])
        _ = try await run.message()
        let sent = "7*5C\r\n$WIMWV,045.0,R,10.0,N,A*13\r\n!AIVDM,1,1,,A,0,0*16\r\n"
        await receiver.send(sent)
        try await wait(for: 1, "AIVDM", in: path)
        await run.end(by: SIGINT)
        #expect(sentences(path).map { $0 + "\n" }.joined() == sent)
    }

    @Test(arguments: ["day", "hour", "1k"])
    func `folders of rotated files are created`(_ rotation: String) async throws {
        let capture = try folder.file("capture", (0..<3).flatMap { ScriptedReceiver.epoch($0) })
        let path = folder.path("tracks/of 2026/a.gpx")
        for _ in 1...2 {
            let run = try await CommandRun(
                words: ["record", capture, "-o", path, "--rotate", rotation])
            #expect(await run.status() == 0)
        }
        try await CommandRun.expectFailure(
            ["record", capture, "-o", "\(capture)/a.gpx", "--rotate", rotation], status: 1,
            "cannot record to")
        try await CommandRun.expectFailure(
            ["record", capture, "-o", folder.path("more/"), "--rotate", rotation], status: 2,
            "is a folder: name a file in it")
        #expect(!folder.names.contains("more"))
    }

    @Test func `files rotate by size, each complete, without loss between them`() async throws {
        let epochs = (0..<400).flatMap { ScriptedReceiver.epoch($0) }
        let capture = try folder.file("capture", epochs)
        // Larger than one read.
        let words = ["record", capture, "-o", folder.path("t.csv"), "--rotate", "1k"]
        for _ in 0..<2 { #expect(await (try await CommandRun(words: words)).status() == 0) }
        let names = folder.names.filter { $0.hasPrefix("t-") && $0.hasSuffix(".csv") }
        #expect(names.count >= 2)
        var rows = 0
        for name in names {
            let all = lines(folder.path(name))
            #expect(all.first?.hasPrefix("time,") == true)
            rows += all.count - 1
        }
        #expect(rows == 800)
    }

    @Test func `a file without a name is named by the time, in the current folder`() async throws {
        let capture = try folder.file("capture", (0..<3).flatMap { ScriptedReceiver.epoch($0) })
        for words in ["", "-f gpx -z", ""] {
            let run = try await CommandRun(
                "/bin/sh",
                words: [
                    "-c",
                    "cd \(folder.path("")) && exec \(CommandRun.executable) record \(capture) \(words)",
                ])
            #expect(await run.status() == 0)
        }
        let names = folder.names.filter { $0.hasPrefix("gpsbridge-2") }
        #expect(names.count { $0.hasSuffix("Z.gpx.zst") } == 1, "\(names)")
        // The third run does not continue the file of the first one.
        #expect(names.count { $0.hasSuffix(".nmea") } == 2, "\(names)")
    }

    @Test func `the newest file of this hour is continued, and that of another hour is not`()
        async throws
    {
        let capture = try folder.file("capture", (0..<3).flatMap { ScriptedReceiver.epoch($0) })
        let words = ["record", capture, "-o", folder.path("t.csv"), "--rotate", "hour"]
        #expect(await (try await CommandRun(words: words)).status() == 0)
        let name = try #require(folder.names.first { $0.hasPrefix("t-") })
        let old = "t-20260101T235959Z.csv"
        #expect(rename(folder.path(name), folder.path(old)) == 0)
        let before = try folder.bytes(old)
        #expect(await (try await CommandRun(words: words)).status() == 0)
        #expect(try folder.bytes(old) == before)
        #expect(folder.names.count { $0.hasPrefix("t-") } == 2)
    }

    @Test(arguments: ["gpx", "nmea", "geojson"])
    func `a run on a later day begins its file like the first run`(_ ending: String) async throws {
        let capture = try folder.file("capture", (0..<3).flatMap { ScriptedReceiver.epoch($0) })
        let words = ["record", capture, "-o", folder.path("t.\(ending)"), "--rotate", "day"]
        #expect(await (try await CommandRun(words: words)).status() == 0)
        let name = try #require(folder.names.first { $0.hasPrefix("t-") })
        let old = "t-20260101T235959Z.\(ending)"
        #expect(rename(folder.path(name), folder.path(old)) == 0)
        #expect(await (try await CommandRun(words: words)).status() == 0)
        let new = try #require(folder.names.first { $0.hasPrefix("t-") && $0 != old })
        // Without the arrival times of the bytes.
        let first = lines(folder.path(old)).filter { !$0.hasPrefix("# 2") }
        #expect(lines(folder.path(new)).filter { !$0.hasPrefix("# 2") } == first)
    }

    @Test(arguments: ["gpx", "nmea", "nmea.zst"])
    func `a file that is empty at the next rotation is deleted, and gets no data`(
        _ ending: String
    ) async throws {
        let capture = try folder.file("capture", (0..<3).flatMap { ScriptedReceiver.epoch($0) })
        _ = try folder.file("t-20260101T000000Z.\(ending)", [])
        let run = try await CommandRun(
            words: ["record", capture, "-o", folder.path("t.\(ending)"), "--rotate", "day"])
        let names = { folder.names.filter { $0.hasPrefix("t-") } }
        #expect(try await run.messages().last?.contains("recorded in") == false)
        #expect(await run.status() == 0)
        #expect(names().count == 1 && names()[0] != "t-20260101T000000Z.\(ending)", "\(names())")
    }

    @Test func `the dates in the names of other files may be centuries apart`() async throws {
        let capture = try folder.file("capture", ScriptedReceiver.epoch(0))
        for year in [1680, 2260] { _ = try folder.file("t-\(year)0321T120000Z.csv", []) }
        let words = ["record", capture, "-o", folder.path("t.csv"), "--rotate", "hour"]
        #expect(await (try await CommandRun(words: words)).status() == 0)
    }

    @Test func `monitor records the receiver that it shows`() async throws {
        let path = folder.path("a.nmea")
        let run = try await CommandRun(
            words: [
                "monitor", "simulated:rate=10", "--format", "json", "--count", "5", "--record",
                path,
            ])
        let shown = try await run.lines().filter { $0.contains("\"TPV\"") }
        #expect(await run.status() == 0)
        let times = sentences(path).filter { $0.contains("GGA") }
        #expect(shown.count == 5 && times.count >= 5)
        #expect(try await run.messages().last?.contains("bytes were recorded to \(path)") == true)
    }

    @Test func `a recording that fails ends monitor, which does not record recordings`()
        async throws
    {
        let other = try folder.file("b.gpx", Array("<gpx>mine</gpx>\n".utf8))
        let foreign = try await CommandRun(words: ["monitor", "simulated", "--record", other])
        #expect(try await foreign.messages().last?.contains("it exists and is not") == true)
        #expect(await foreign.status() == 1)
        try await CommandRun.expectFailure(
            ["monitor", other, "--record", folder.path("c")], status: 2, "--record is for receivers"
        )
    }

    @Test(arguments: ["t.nmea", "t.gpx", "t.csv.zst"])
    func `a damaged rotated file does not prevent recording`(
        _ name: String
    ) async throws {
        let capture = try folder.file("capture", (0..<3).flatMap { ScriptedReceiver.epoch($0) })
        let ending = name.drop { $0 != "." }
        // A loss of power may leave such content.
        let zeros = [UInt8](repeating: 0, count: 300)
        let spoilt = try folder.file("t-20260101T000000Z\(ending)", zeros)
        let run = try await CommandRun(
            words: ["record", capture, "-o", folder.path(name), "--rotate", "day"])
        #expect(try await run.message()?.hasSuffix("; recording to another file") == true)
        #expect(await run.status() == 0)
        #expect(try folder.bytes("t-20260101T000000Z\(ending)") == zeros, "\(spoilt)")
        let names = folder.names
            .filter { $0.hasPrefix("t-") }
        #expect(names.count == 2)
    }
}

/// A file that another process is recording to.
@Suite(.timeLimit(.generous))
struct RecordLockTests {
    @Test(.enabled(if: access("/usr/bin/flock", X_OK) == 0, "flock is not installed"))
    func `record waits for a file that a killed recording still has locked`() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("a.nmea", [])
        // `record` waits at most three seconds for the lock.
        let isRecorded = try await repeated(ifPausedFor: .seconds(3)) {
            // Like a process killed while the disk is slow: it holds the file for a moment.
            let holder = try await CommandRun(
                "/usr/bin/flock", words: [path, "/bin/sh", "-c", "echo locked; sleep 1"])
            #expect(try await holder.line() == "locked")
            let run = try await CommandRun(
                words: ["record", "simulated:rate=10", "-o", path])
            guard try await run.message(with: "recording simulated") != nil else {
                _ = await holder.status()
                return false
            }
            await run.end()
            return true
        }
        #expect(isRecorded)
    }
}
