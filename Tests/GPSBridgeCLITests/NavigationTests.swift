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
    }
}
