// SPDX-License-Identifier: MIT
import GNSS
import GPSTestSupport
import Glibc
import Testing

/// The options of `monitor` for an anchor watch and a route.
@Suite(.timeLimit(.generous))
struct NavigationTests {
    /// A recording of a vessel that moves to the east by 5 m in a second, and loses its position after 20 s.
    private func recording(in folder: TemporaryFolder, seconds: Int = 40) throws -> String {
        let epochs = (0..<seconds).flatMap { second in
            ScriptedReceiver.epoch(second, quality: second < 20 ? .autonomous : .invalid)
        }
        return try folder.file("track.nmea", epochs)
    }

    /// The state of the anchor in each report, without repetitions.
    private func states(_ lines: [String]) -> [String] {
        let states = lines.compactMap {
            $0.split(separator: #""anchor":""#).dropFirst().first?
                .prefix { $0 != "\"" }
        }
        return states.indices.filter { $0 == 0 || states[$0] != states[$0 - 1] }
            .map { String(states[$0]) }
    }

    @Test func `leaving the circle and losing the position are alarms in JSON and in messages`()
        async throws
    {
        let folder = try TemporaryFolder()
        let run = try await CommandRun(
            words: [
                "monitor", "-f", "json", "--speed", "1e6", "--anchor", "30m@48.2,16.36",
                try recording(in: folder),
            ])
        #expect(states(try await run.lines()) == ["setting", "ok", "drag", "lost"])
        let messages = try await run.messages().filter { $0.contains("anchor") }
        #expect(messages.count == 3, "\(messages)")
        #expect(messages.dropFirst().first?.contains("anchor drags: ") == true, "\(messages)")
        #expect(messages.last?.hasSuffix("anchor watch does not work: no position") == true)
    }

    @Test(arguments: [(40, ["setting", "ok", "drag", "lost"]), (20, ["setting", "ok", "drag"])])
    func `a recording in a pipe is watched by its own times, and its end is not an alarm`(
        _ seconds: Int, _ expected: [String]
    ) async throws {
        let folder = try TemporaryFolder()
        let run = try await CommandRun(
            "/bin/sh",
            words: [
                "-c", "cat \"$1\" | \"$0\" monitor - -f json --anchor 30m@48.2,16.36",
                CommandRun.executable, try recording(in: folder, seconds: seconds),
            ])
        #expect(states(try await run.lines()) == expected)
        let messages = try await run.messages().filter { $0.contains("anchor") }
        #expect(messages.count == expected.count - 1, "\(messages)")
    }

    @Test func `the alarm command gets the state, the device, the reason and the kind`()
        async throws
    {
        let folder = try TemporaryFolder()
        let file = folder.path("alarms")
        let run = try await CommandRun(
            words: [
                "monitor", "-f", "text", "--speed", "20", "--anchor", "30@48.2,16.36",
                "--alarm-command", "echo \"$4 $1 $2: $3\" >>\(file)",
                try recording(in: folder, seconds: 3000),
            ])
        try await waitForFile(file) { bytes in
            let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
            let start = "anchor drag \(folder.path("track.nmea")): "
            return lines.first?.hasPrefix(start) == true
                && lines.first?.hasSuffix("m away, the circle is 30 m") == true
        }
        run.send(15)
        #expect(await run.status() == 0)
    }

    @Test func `the alarm command completes when the end of the input ends monitor`()
        async throws
    {
        let folder = try TemporaryFolder()
        let (track, file) = (try recording(in: folder), folder.path("alarms"))
        // Much longer than `monitor` takes to end.
        let command = "sleep 0.5; echo \"$4 $1: $3\" >\(file)"
        let script =
            "cat \"$1\" | \"$0\" monitor - --live -f text --anchor 30m --alarm-command \"$2\""
        // After a pause, the track is not at one place, and `monitor` waits for ten seconds.
        let isComplete = try await repeated(ifPausedFor: .seconds(3)) {
            unlink(file)
            let run = try await CommandRun(
                "/bin/sh", words: ["-c", script, CommandRun.executable, track, command])
            #expect(await run.status() == 0)
            return lines(of: readFile(file)) == ["anchor lost: the input has ended"]
        }
        #expect(isComplete, "\(lines(of: readFile(file)))")
    }

    @Test func `a route advances, and its values are members of each TPV`() async throws {
        let folder = try TemporaryFolder()
        let route = try folder.file(
            "way.gpx",
            Array(
                #"<gpx version="1.1" creator="x"><rte><rtept lat="48.2" lon="16.361"><name>A</name></rtept>"#
                    .utf8) + Array(#"<rtept lat="48.2" lon="16.4"/></rte></gpx>"#.utf8))
        let run = try await CommandRun(
            words: [
                "monitor", "-f", "json", "--speed", "1e6", "--to", route,
                try recording(in: folder),
            ])
        let reports = try await run.lines().filter { $0.contains(#""class":"TPV""#) }
        let first = try #require(reports.first)
        #expect(
            first.contains(#""waypointName":"A","waypointNumber":1,"waypointCount":2,"#), "\(first)"
        )
        #expect(
            first.contains(
                #""waypointBearing":90.0,"waypointVelocityMadeGood":5.14,"waypointTimeToGo":14,"#),
            "\(first)")
        let last = try #require(reports.last)
        #expect(
            last.contains(#""waypointNumber":2,"waypointCount":2,"waypointLatitude":48.2"#),
            "\(last)")
        #expect(!last.contains("waypointTimeToGo") && !last.contains("waypointName"), "\(last)")
        #expect(try await run.message(with: "arrived at A, next is waypoint 2") != nil)
    }

    @Test func `text has the distance and the bearing, and other formats say that they have not`()
        async throws
    {
        let folder = try TemporaryFolder()
        let recording = try recording(in: folder, seconds: 20)
        func monitor(_ format: String, _ words: String...) async throws -> CommandRun {
            try await CommandRun(
                words: ["monitor", "-f", format, "--speed", "1e6", "--to", "48.2,16.4", recording]
                    + words)
        }
        let lines = try await monitor("text").lines()
        #expect(
            lines.first?.hasSuffix(" 3D to waypoint 1: 2.973 km, bearing 90") == true, "\(lines)")
        let nautical = try await monitor("text", "--units", "nautical").lines()
        #expect(nautical.first?.hasSuffix(" nmi, bearing 90") == true, "\(nautical)")
        for format in ["csv", "nmea"] {
            let message = try await monitor(format).message(with: "of --to are not in \(format)")
            #expect(message?.hasSuffix("use --format text or json") == true)
        }
    }

    @Test func `a program that searches a TPV for lat and lon finds only those of the receiver`()
        async throws
    {
        let folder = try TemporaryFolder()
        let run = try await CommandRun(
            words: [
                "monitor", "-f", "json", "--speed", "1e6", "--anchor", "30m@48.2,16.36", "--to",
                "48.3,16.4", try recording(in: folder, seconds: 20),
            ])
        let reports = try await run.lines().filter { $0.contains(#""class":"TPV""#) }
        #expect(reports.contains { $0.contains(#""anchorLatitude":48.2"#) })
        #expect(reports.contains { $0.contains(#""waypointLatitude":48.3"#) })
        for name in ["lat", "lon"] {
            #expect(reports.allSatisfy { $0.ranges(of: "\"\(name)\":").count == 1 })
        }
    }

    @Test(arguments: [
        (["--anchor", "0"], "not a circle: '0'"), (["--anchor", "30au"], "not a circle: '30au'"),
        (["--anchor", "30m@x"], "not a position: 'x'"), (["--anchor", "20km"], "not a circle"),
        (["--to", "95,1"], "latitude '95' is not a number from -90 to 90"),
        (["--to", "1,2", "--to", "3,4"], "--to can be given only once"),
    ])
    func `a circle or a place that cannot be used is refused`(
        _ words: [String], _ reason: String
    ) async throws {
        for command in [["monitor", "-f", "text"], ["serve", "--listen", "localhost:0"]] {
            try await CommandRun.expectFailure(command + words + ["simulated"], status: 2, reason)
        }
    }

    @Test func `a file without waypoints is an error`() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("empty.gpx", Array("<gpx/>".utf8))
        try await CommandRun.expectFailure(
            ["monitor", "-f", "text", "--to", file, "simulated"], status: 1,
            "contains neither a route nor a waypoint")
        try await CommandRun.expectFailure(
            ["monitor", "-f", "text", "--to", "\(folder.path)/none.gpx", "simulated"], status: 1,
            "none.gpx: cannot be read: No such file or directory")
    }
}

/// The options of `monitor` for integrity alarms.
@Suite(.timeLimit(.generous))
struct AlarmTests {
    /// Writes a recording whose position jumps by a kilometre after ten seconds.
    private func recording(in folder: TemporaryFolder, seconds: Int = 60) throws -> String {
        let epochs = (0..<seconds).flatMap { second in
            ScriptedReceiver.epoch(second, latitude: second < 10 ? 48.2 : 48.21)
        }
        return try folder.file("track.nmea", epochs)
    }

    /// Replays the recording slowly enough for a signal to end `monitor` before its end.
    private func monitor(
        _ words: [String], in folder: TemporaryFolder, seconds: Int = 60
    ) async throws -> CommandRun {
        let start = ["monitor", "-f", "text", "--speed", "10"]
        let recording = try recording(in: folder, seconds: seconds)
        return try await CommandRun(words: start + words + [recording])
    }

    @Test func `positions during an alarm are marked, and the alarm is reported`() async throws {
        let folder = try TemporaryFolder()
        let run = try await CommandRun(
            words: ["monitor", "-f", "text", "--speed", "1e6", try recording(in: folder)])
        let lines = try await run.lines()
        #expect(lines.count == 60)
        #expect(lines.prefix(10).allSatisfy { $0.hasSuffix(" 3D") }, "\(lines)")
        #expect(lines.dropFirst(10).allSatisfy { $0.hasSuffix(" 3D ALARM") }, "\(lines)")
        let messages = try await run.messages()
        #expect(messages.contains { $0.contains("integrity alarm: moved 11") }, "\(messages)")
    }

    @Test func `positions and sentences during an alarm are left out on request`() async throws {
        let folder = try TemporaryFolder()
        let path = try recording(in: folder)
        for (format, count) in [("text", 10), ("nmea", 22)] {
            let run = try await CommandRun(
                words: ["monitor", "-f", format, "--speed", "1e6", "--on-alarm", "drop", path])
            let lines = try await run.lines().filter { !$0.contains("no-fix") }
            // The alarm begins with the epoch whose sentences have been passed on already.
            #expect(lines.count == count, "\(lines)")
        }
    }

    @Test func `a recorded track has the integrity and the segments that monitor prints`()
        async throws
    {
        let folder = try TemporaryFolder()
        let seconds = Array(0..<40) + Array(1200..<1240)
        let epochs = seconds.flatMap { second in
            ScriptedReceiver.epoch(second, latitude: second < 10 || second >= 1200 ? 48.2 : 48.21)
        }
        let path = try folder.file("track.nmea", epochs)
        let printed = try await CommandRun(
            words: ["monitor", "-f", "csv", "--speed", "1e6", path]
        ).lines()
        let csv = folder.path("track.csv")
        #expect(
            await (try await CommandRun(words: ["record", path, "-o", csv])).status() == 0)
        #expect(lines(of: readFile(csv)) == printed)
        #expect(printed.contains { $0.contains(",alarm,1,replay,") }, "\(printed)")
        #expect(printed.contains { $0.hasSuffix(",2,replay,track.nmea") }, "\(printed)")
        let json = folder.path("track.geojson")
        #expect(
            await (try await CommandRun(words: ["record", path, "-o", json])).status() == 0)
        let alarms = lines(of: readFile(json)).count { $0.contains(#""integrity":"alarm""#) }
        #expect(alarms == printed.count { $0.contains(",alarm,") })
    }

    @Test func `a command is run when an alarm begins`() async throws {
        let folder = try TemporaryFolder()
        let file = folder.path("alarms")
        let command = "echo \"$1 $2: $3\" >\(file)"
        let run = try await monitor(["--alarm-command", command], in: folder)
        try await waitForFile(file) { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            return text.hasPrefix("alarm \(folder.path("track.nmea")): moved 11")
        }
        run.send(15)
        #expect(await run.status() == 0)
    }

    @Test func `a command that leaves a program running does not hold back the next alarm`()
        async throws
    {
        let folder = try TemporaryFolder()
        let file = folder.path("alarms")
        // The program ends when the folder is removed.
        let command = "echo $4 >>\(file); while [ -e \(file) ]; do sleep 0.1; done &"
        let run = try await monitor(
            ["--anchor", "30m@48.2,16.36", "--alarm-command", command], in: folder)
        try await waitForFile(file) { bytes in
            let kinds = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
            return Set(kinds) == ["integrity", "anchor"]
        }
        run.send(15)
        #expect(await run.status() == 0)
    }

    @Test func `a command that still runs at the end is ended`() async throws {
        let folder = try TemporaryFolder()
        let file = folder.path("process")
        let command = "echo $$ >\(file); while [ -e \(file) ]; do sleep 0.1; done"
        let run = try await monitor(["--alarm-command", command], in: folder)
        try await waitForFile(file) { $0.last == UInt8(ascii: "\n") }
        run.send(15)
        #expect(try await run.message(with: "was ended")?.contains("the alarm command") == true)
        #expect(await run.status() == 0)
        // Its parent is gone, so it may stay as a zombie if nothing waits for it.
        let process = try #require(lines(of: readFile(file)).first)
        let state = String(decoding: readFile("/proc/\(process)/stat"), as: UTF8.self)
        #expect(state.isEmpty || state.contains(") Z "))
    }

    @Test func `a command gets no secrets`() async throws {
        let folder = try TemporaryFolder()
        let file = folder.path("environment")
        let recording = try recording(in: folder)
        let run = try await CommandRun(
            variables: [
                "GPSBRIDGE_HTTP_TOKEN=0123456789abcdef", "GPSBRIDGE_PASSWORD_FILE=/nonexistent",
                "CREDENTIALS_DIRECTORY=/nonexistent", "PGPASSWORD=secret", "BOAT=Anna",
            ],
            words: [
                "monitor", "-f", "text", "--speed", "10", "--alarm-command",
                "env >\(file); echo end >>\(file)", recording,
            ])
        try await waitForFile(file) { lines(of: $0).last == "end" }
        run.send(15)
        #expect(await run.status() == 0)
        let variables = lines(of: readFile(file))
        #expect(variables.contains("BOAT=Anna"))
        #expect(variables.contains { $0.hasPrefix("PATH=") })
        #expect(
            !variables.contains {
                $0.hasPrefix("GPSBRIDGE_") || $0.hasPrefix("PGPASS") || $0.hasPrefix("CREDENTIALS")
            })
    }

    @Test func `commands that wait for the previous one also run after the end of a recording`()
        async throws
    {
        let folder = try TemporaryFolder()
        let file = folder.path("alarms")
        // The first command takes much longer than `monitor` takes to read the recording.
        let command = "sleep 0.5; echo $4 >>\(file)"
        let words = [
            "monitor", "-f", "text", "--speed", "1e6", "--anchor", "30m@48.2,16.36",
            "--alarm-command", command, try recording(in: folder),
        ]
        // At its end, `monitor` waits at most ten seconds for the commands.
        let haveRun = try await repeated(ifPausedFor: .seconds(10)) {
            unlink(file)
            let run = try await CommandRun(words: words)
            #expect(await run.status() == 0)
            return lines(of: readFile(file)) == ["integrity", "anchor"]
        }
        #expect(haveRun, "\(lines(of: readFile(file)))")
    }

    @Test func `a command that fails is reported`() async throws {
        let folder = try TemporaryFolder()
        let expected = "the alarm command ended with status 127: a program was not found"
        var message: String?
        // After ten seconds, `monitor` reports that the command has not ended.
        let isReported = try await repeated(ifPausedFor: .seconds(10)) {
            // The end of the recording would end the wait for the command.
            let run = try await monitor(
                ["--alarm-command", "nosuchprogram"], in: folder, seconds: 6000)
            message = try await run.message(with: "the alarm command ")
            run.send(15)
            #expect(await run.status() == 0)
            return message?.contains(expected) == true
        }
        #expect(isReported, "\(message ?? "")")
    }
}
