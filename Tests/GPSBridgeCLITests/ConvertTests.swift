// SPDX-License-Identifier: MIT
import GPSTestSupport
import Testing

@Suite(.timeLimit(.generous))
struct ConvertTests {
    private let capture = (0..<3).flatMap { ScriptedReceiver.epoch($0) }

    @Test func `a recording becomes one TPV per epoch`() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("track.nmea", capture)
        let run = try await CommandRun(words: ["convert", path, "--to", "json"])
        let lines = try await run.lines()
        let start = "{\"class\":\"TPV\",\"device\":\"track.nmea\",\"mode\":3,\"time\":"
        let rest =
            ",\"altHAE\":214.0000,\"altMSL\":171.0000,\"alt\":171.0000,\"track\":90.0000,"
            + "\"magtrack\":84.6896,\"magvar\":5.3,\"speed\":5.144,\"velN\":0.000,\"velE\":5.144,"
            + "\"geoidSep\":43.000,\"eph\":8.650,\"modelled\":\"magtrack magvar\","
            + "\"hdop\":1.00,\"uSat\":9}"
        let longitudes = ["16.360000000", "16.360069333", "16.360138667"]
        #expect(
            lines
                == longitudes.enumerated().map { second, longitude in
                    "\(start)\"2026-03-21T12:00:0\(second).000Z\",\"ept\":0.005,"
                        + "\"lat\":48.200000000,\"lon\":\(longitude)\(rest)"
                })
        #expect(await run.status() == 0)
        #expect(try await run.messages() == [])
    }

    @Test func `a datum other than WGS 84 is reported`() async throws {
        let folder = try TemporaryFolder()
        let datum = Array("$GPDTM,999,CH95,0.08,N,0.07,E,-47.7,W84*1C\r\n".utf8)
        let path = try folder.file("track.nmea", datum + capture)
        let run = try await CommandRun(words: ["convert", path, "--to", "csv"])
        #expect(try await run.lines().count == 4)
        let expected = "datum 999 CH95, which are not converted to WGS 84"
        #expect(try await run.messages().contains { $0.contains(expected) })
    }

    @Test func `standard input and an output file can be used`() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("track.nmea", capture)
        let target = folder.path("track.json")
        let words = ["convert", "-", "--to", "json", "-o", target]
        let run = try await CommandRun(words: words, input: path)
        #expect(try await run.lines() == [])
        #expect(await run.status() == 0)
        let text = String(decoding: try folder.bytes("track.json"), as: UTF8.self)
        #expect(text.split(separator: "\n").count == 3)
    }

    @Test(arguments: [
        ["convert", "FILE", "--to", "json"], ["monitor", "FILE", "-f", "text"],
        ["monitor", "FILE", "-f", "nmea"],
    ])
    func `a file without a valid sentence is reported, also by the exit status`(_ words: [String])
        async throws
    {
        let folder = try TemporaryFolder()
        let unknown =
            "is not in a known format: `gpsbridge convert --help` lists those that are read"
        for (content, problem) in [
            ("", "is empty"), ("root:x:0:0:root:/root:/bin/sh\n", unknown),
            ("# gpsbridge recording 1\r\n", "contains no valid sentence"),
        ] {
            let path = try folder.file("file", Array(content.utf8))
            let run = try await CommandRun(words: words.map { $0 == "FILE" ? path : $0 })
            #expect(try await run.lines() == [])
            #expect(try await run.messages() == ["gpsbridge: \(path) \(problem)"])
            #expect(await run.status() == 3)
        }
    }

    @Test(arguments: [
        ["convert", "FILE", "--to", "csv"], ["monitor", "FILE", "-f", "text", "--speed", "1e6"],
    ])
    func `records of another format that are left out are reported`(_ words: [String])
        async throws
    {
        let folder = try TemporaryFolder()
        let records = [
            "B1200004812000N01622000EA0000000171", "B12000148",
            "B1200024812000N01622000EA0000000171",
        ]
        let lines = ["AXXX000", "HFDTE210326"] + records
        let path = try folder.file("a.igc", Array(lines.map { $0 + "\r\n" }.joined().utf8))
        let run = try await CommandRun(words: words.map { $0 == "FILE" ? path : $0 })
        #expect(try await run.message(with: "has 1 B record in an unknown form (line 4: ") != nil)
        #expect(await run.status() == 0)
    }

    @Test(arguments: [
        ("$GPGGA,120000.00,4812.0,N,01621.6,E,1,08,1.0,171.0,M,43.0,M,,", "without a checksum"),
        ("$GPRMC,broken*00", "with a wrong checksum"),
    ])
    func `the most frequent reason for which sentences were rejected is reported`(
        sentence: String, reason: String
    ) async throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("file", Array("\(sentence)\r\n".utf8))
        let run = try await CommandRun(words: ["convert", path, "--to", "json"])
        #expect(
            try await run.messages() == [
                "gpsbridge: \(path) contains no valid sentence, only rejected ones, mostly \(reason)"
            ])
        #expect(await run.status() == 3)
    }

    @Test func `statistics are printed on request`() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.file(
            "track.nmea", capture + Array("# said\n$GPRMC,broken*00\r\n".utf8))
        let run = try await CommandRun(words: ["convert", path, "--to", "json", "--stats"])
        #expect(
            try await run.messages() == [
                "gpsbridge: 6 sentences decoded, 1 with a wrong checksum, 1 line of comments"
            ])
    }

    @Test
    func `several files follow one another, and the extension of the output selects the format`()
        async throws
    {
        let folder = try TemporaryFolder()
        let first = try folder.file("a.nmea", capture)
        let second = try folder.file("b.nmea", capture)
        let target = folder.path("both.gpx")
        let run = try await CommandRun(words: ["convert", first, second, "-o", target])
        #expect(await run.status() == 0)
        let file = try await CommandRun("/bin/cat", words: [target])
        let lines = try await file.lines()
        #expect(lines.filter { $0.hasPrefix("<trkpt ") }.count == 6)
        #expect(lines.filter { $0.hasPrefix("<trk><name>a.nmea</name>") }.count == 1)
        #expect(lines.filter { $0.hasPrefix("<trk><name>b.nmea</name>") }.count == 1)
        #expect(lines.last == "</gpx>")
    }

    @Test func `an input file cannot be the output`() async throws {
        let folder = try TemporaryFolder()
        let first = try folder.file("a.nmea", capture)
        let second = try folder.file("b.nmea", capture)
        let words = ["convert", first, second, "--to", "gpx", "-o", second]
        try await CommandRun.expectFailure(words, status: 1, "it is the recording itself")
        let again = try await CommandRun(words: ["convert", second, "--to", "json"])
        #expect(try await again.lines().count == 3)
    }

    @Test func `fixes are selected by time, interval and distance`() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("a.nmea", (0..<20).flatMap { ScriptedReceiver.epoch($0) })
        let words = [
            "convert", path, "--to", "json", "--from", "2026-03-21T12:00:05Z", "--to-time",
            "2026-03-21T12:00:15Z", "--every", "4",
        ]
        let lines = try await CommandRun(words: words).lines()
        let times = lines.compactMap { $0.split(separator: "T12:00:").last?.prefix(2) }
        #expect(times == ["05", "09", "13"])
    }
}
