// SPDX-License-Identifier: MIT
import GPSFormats
import GPSTestSupport
import Glibc
import SimulatedDevices
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

    @Test func `a recording of which most sentences are rejected ends with an error`() async throws
    {
        let folder = try TemporaryFolder()
        let broken = Array(repeating: "$GPRMC,broken*00\r\n", count: 13).joined()
        let path = try folder.file("track.nmea", capture + Array(broken.utf8))
        let run = try await CommandRun(words: ["convert", path, "--to", "csv"])
        #expect(try await run.lines().count == 4)
        #expect(
            try await run.messages() == [
                "gpsbridge: \(path): 13 of 19 sentences cannot be read, mostly with a wrong checksum: "
                    + "is it damaged?"
            ])
        #expect(await run.status() == 1)
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

/// Other programs read the output of `convert`. Tests are skipped for programs that are not installed
/// (Debian: gpsbabel, libxml2-utils, gdal-bin; PyPI: fastkml, for its schemas).
@Suite(.serialized, .timeLimit(.generous))
struct ConvertedFilesTests {
    private static func find(_ program: String) -> String? {
        ["/usr/bin/", "/usr/local/bin/"].map { $0 + program }.first { access($0, X_OK) == 0 }
    }

    private static let gpsbabel = find("gpsbabel")
    private static let xmllint = find("xmllint")
    private static let ogrinfo = find("ogrinfo")

    /// The schemas of OGC and Google if they are installed, for example by the Python package fastkml.
    private static let schema: String? = {
        if let path = getenv("GPSBRIDGE_KML_SCHEMA") { return String(cString: path) }
        var found = glob_t()
        defer { globfree(&found) }
        let pattern = "/usr/*/lib/python3*/*-packages/fastkml/schema/kml22gx.xsd"
        guard glob(pattern, 0, nil, &found) == 0, let path = found.gl_pathv[0] else { return nil }
        return String(cString: path)
    }()

    private let folder: TemporaryFolder
    private let capture: String

    init() throws {
        folder = try TemporaryFolder()
        let epochs = (0..<30).flatMap {
            ScriptedReceiver.epoch($0, latitude: 48 + Double($0) * 1e-4, longitude: -16.5)
        }
        capture = try folder.file("drive & <back>.nmea", epochs)
    }

    private func converted(_ format: String) async throws -> String {
        let path = folder.path("drive.\(format)")
        let run = try await CommandRun(words: ["convert", capture, "-t", format, "-o", path])
        #expect(try await run.messages() == [])
        try #require(await run.status() == 0)
        return path
    }

    @Test(
        .enabled(if: gpsbabel != nil, "gpsbabel is not installed"),
        arguments: [
            ("gpx", "gpx", 1.1e-6), ("kml", "kml", 1.1e-6), ("csv", "unicsv", 1.1e-6),
            // gpsbabel reads IGC's minutes with three decimals.
            ("tcx", "gtrnctr", 1.1e-6), ("fit", "garmin_fit", 1.1e-6), ("igc", "igc", 1.8e-5),
        ])
    func `gpsbabel reads every position, altitude and time`(
        _ format: String, _ kind: String, _ tolerance: Double
    ) async throws {
        let path = try await converted(format)
        let run = try await CommandRun(
            try #require(Self.gpsbabel),
            words: ["-t", "-i", kind, "-f", path, "-o", "unicsv", "-F", "-"])
        let lines = try await run.lines().map { $0.filter { $0 != "\r" } }
        let names = try #require(lines.first).split(separator: ",")
        let rows = lines.dropFirst().map {
            $0.split(separator: ",", omittingEmptySubsequences: false)
        }
        try #require(rows.count == 30)
        func column(_ name: String) throws -> [String] {
            let index = try #require(names.firstIndex { $0 == name })
            return rows.map { $0.count > index ? String($0[index]) : "" }
        }
        let latitudes = try column("Latitude").compactMap { Double($0) }
        let isEqual = zip(latitudes, 0..<30).allSatisfy {
            abs($0 - 48 - Double($1) * 1e-4) < tolerance
        }
        #expect(isEqual)
        #expect(try column("Longitude").allSatisfy { $0 == "-16.500000" })
        #expect(try column("Altitude").allSatisfy { $0 == "171.0" })
        let times = try column("Time").prefix(3).map { $0.prefix(8) }
        #expect(times == ["12:00:00", "12:00:01", "12:00:02"])
        #expect(try column("Date").allSatisfy { $0 == "2026/03/21" })
    }

    @Test(
        .enabled(if: xmllint != nil, "xmllint is not installed"), arguments: ["gpx", "kml", "tcx"])
    func `xmllint accepts the output`(_ format: String) async throws {
        let path = try await converted(format)
        let run = try await CommandRun(try #require(Self.xmllint), words: ["--noout", path])
        #expect(try await run.messages() == [])
        #expect(await run.status() == 0)
    }

    @Test(.enabled(if: xmllint != nil && schema != nil, "xmllint or KML's schema is not installed"))
    func `KML is valid by the schemas of OGC and Google`() async throws {
        let path = try await converted("kml")
        let run = try await CommandRun(
            try #require(Self.xmllint),
            words: ["--nonet", "--noout", "--schema", try #require(Self.schema), path])
        #expect(try await run.messages() == ["\(path) validates"])
        #expect(await run.status() == 0)
    }

    @Test(
        .enabled(if: ogrinfo != nil, "ogrinfo is not installed"),
        arguments: [("gpx", 30), ("geojson", 30), ("geojsonseq", 30), ("csv", 30), ("kml", 1)])
    func `GDAL finds every feature`(_ format: String, _ count: Int) async throws {
        let path = try await converted(format)
        let run = try await CommandRun(
            try #require(Self.ogrinfo), words: ["-ro", "-so", "-al", path])
        let counts = try await run.lines().filter { $0.hasPrefix("Feature Count: ") }
        #expect(counts.contains("Feature Count: \(count)"))
        #expect(await run.status() == 0)
    }
}

/// Formats that can store only fixes with a date, or altitudes above mean sea level.
@Suite(.timeLimit(.generous))
struct DatedFormatsTests {
    private static let undated = "lat,lon\n48,16\n"
    private static let dated = "time,lat,lon\n2026-03-21T12:00:00Z,45,16\n"

    @Test(arguments: ["igc", "fit"])
    func `fixes whose date is too early for the format are reported`(
        _ format: String
    ) async throws {
        let folder = try TemporaryFolder()
        let dates = "time,lat,lon\n1975-03-21T12:00:00Z,48,16\n2026-03-21T12:00:00Z,45,16\n"
        let file = try folder.file("a.csv", Array(dates.utf8))
        let output = folder.path("track.\(format)")
        let run = try await CommandRun(words: ["convert", file, "-o", output])
        #expect(
            try await run.messages() == [
                "gpsbridge: fixes without a date, or with a date that \(format) cannot store, are not written"
            ])
        #expect(await run.status() == 0)
    }

    @Test(arguments: ["igc", "tcx", "fit"])
    func `fixes without a date are reported`(_ format: String) async throws {
        let folder = try TemporaryFolder()
        let undated = try folder.file("a.csv", Array(Self.undated.utf8))
        let dated = try folder.file("b.csv", Array(Self.dated.utf8))
        let output = folder.path("track.\(format)")
        let none = try await CommandRun(words: ["convert", undated, "-o", output])
        #expect(
            try await none.messages() == [
                "gpsbridge: no fix was written: \(format) needs a date, and no selected fix has one that it can store",
                "gpsbridge: \(output) is not written, because it would be empty",
            ])
        #expect(await none.status() == 3)
        let one = try await CommandRun(words: ["convert", undated, dated, "-o", output])
        #expect(
            try await one.messages() == [
                "gpsbridge: fixes without a date, or with a date that \(format) cannot store, are not written"
            ])
        #expect(await one.status() == 0)
        let back = try await CommandRun(words: ["convert", output, "--to", "csv"])
        #expect(try await back.lines().last?.hasPrefix("2026-03-21T12:00:00.000Z,45.000") == true)
    }

    @Test func `FIT without a fix writes no byte to standard output`() async throws {
        let folder = try TemporaryFolder()
        let undated = try folder.file("a.csv", Array(Self.undated.utf8))
        let script = #""$0" convert "$1" --to fit | wc -c"#
        let run = try await CommandRun(
            "/bin/sh", words: ["-c", script, CommandRun.executable, undated])
        #expect(try await run.lines() == ["0"])
        #expect(await run.status() == 0)
    }

    @Test func `altitudes above the ellipsoid are converted if the format cannot store them`()
        async throws
    {
        let folder = try TemporaryFolder()
        let flight = "AXXX001\nHFDTE210326\nB1200004812449N01621803EA0000000171\n"
        let file = try folder.file("a.igc", Array(flight.utf8))
        for (words, isModelled) in [
            (["-t", "kml"], true), (["-t", "gpx"], true), (["-t", "nmea"], true),
            (["--summary"], true),
            (["-t", "csv"], false),
        ] {
            let run = try await CommandRun(words: ["convert", file] + words)
            let text = try await run.lines().joined()
            // The model's geoid is 45.45 m above the ellipsoid.
            #expect(text.contains(/[ ,>]125\.[56]/) == isModelled, "\(words): \(text)")
            let messages = try await run.messages()
            #expect(messages.count == (isModelled ? 1 : 0))
            #expect(messages.allSatisfy { $0.contains("mean sea level are modelled") })
            #expect(await run.status() == 0)
        }
    }

    @Test func `NMEA stores years of any century, and omits fixes with dates that readers ignore`()
        async throws
    {
        let folder = try TemporaryFolder()
        let unknown = ["1970-01-01T11:00:00.000Z", "1980-01-06T12:00:00.000Z"]
        let times = [
            "1975-05-02T12:00:00.000Z",
            "2026-03-21T12:00:00.000Z", "2085-01-02T12:00:01.000Z", "2085-01-02T12:00:02.000Z",
        ]
        let rows = (unknown + times).map { "\($0),48,16\n" }.joined()
        let file = try folder.file("a.csv", Array("time,lat,lon\n\(rows)".utf8))
        let output = folder.path("a.nmea")
        let run = try await CommandRun(words: ["convert", file, "-o", output])
        #expect(
            try await run.messages() == [
                "gpsbridge: fixes whose date nmea cannot store are not written"
            ])
        #expect(await run.status() == 0)
        let back = try await CommandRun(words: ["convert", output, "--to", "csv"])
        #expect(try await back.lines().dropFirst().map { String($0.prefix(24)) } == times)
    }
}

/// The folder of a recording is private and not part of any output.
@Suite(.timeLimit(.generous))
struct PrivacyTests {
    private let folder: TemporaryFolder
    private let recording: String

    init() throws {
        folder = try TemporaryFolder()
        recording = try folder.file("walk.nmea", (0..<5).flatMap { ScriptedReceiver.epoch($0) })
    }

    private func expectNoFolder(_ text: String) {
        #expect(!text.contains(folder.path), "\(text.prefix(500))")
    }

    @Test(arguments: OutputFormats.names)
    func `converted files contain the name of the recording without its folder`(
        _ format: String
    ) async throws {
        let output = folder.path("output")
        let run = try await CommandRun(
            words: ["convert", recording, "--to", format, "-o", output])
        #expect(await run.status() == 0)
        let text = String(decoding: readFile(output), as: UTF8.self)
        expectNoFolder(text)
        if format != "nmea" { #expect(text.contains("walk.nmea"), "\(text.prefix(500))") }
    }

    @Test(arguments: ["json", "csv"])
    func `a replay contains the name of the recording without its folder`(_ format: String)
        async throws
    {
        let run = try await CommandRun(
            words: ["monitor", recording, "--format", format, "--speed", "1000"])
        let text = try await run.lines().joined(separator: "\n")
        #expect(await run.status() == 0)
        expectNoFolder(text)
        #expect(text.contains("walk.nmea"))
    }

    @Test func `a recording of a replay contains its name without the folder`() async throws {
        let run = try await CommandRun(words: ["record", recording, "-o", folder.path("copy")])
        #expect(await run.status() == 0)
        let text = String(decoding: try folder.bytes("copy"), as: UTF8.self)
        expectNoFolder(text)
        #expect(text.contains("# source: walk.nmea\r\n"))
    }
}

/// Sentences of lines without a fix, such as those of AIS receivers and wind sensors, in the format
/// `nmea`.
@Suite(.timeLimit(.generous))
struct SentencesWithoutFixTests {
    private static let sentences = [
        "!AIVDM,1,1,,B,177KQJ5000G?tO`K>RA1wUbN0TKH,0*5C", "$WIMWV,214.8,R,0.1,K,A*28",
    ]

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private static func bytes(_ sentences: [String]) -> [UInt8] {
        Array(sentences.map { $0 + "\r\n" }.joined().utf8)
    }

    private func input(_ sentences: [String]) throws -> String {
        try folder.file("in", Self.bytes(sentences))
    }

    @Test(arguments: sentences)
    func `convert writes a file of sentences without a fix`(_ sentence: String) async throws {
        let file = try input([sentence])
        let output = folder.path("a.nmea")
        let run = try await CommandRun(words: ["convert", file, "-o", output])
        #expect(try await run.messages() == [])
        #expect(await run.status() == 0)
        #expect(try folder.bytes("a.nmea") == folder.bytes("in"))
        let printed = try await CommandRun(words: ["convert", file, "--to", "nmea"])
        #expect(try await printed.lines().count == 1)
        #expect(await printed.status() == 0)
    }

    @Test func `a selection of fixes from a file without a fix writes no file`() async throws {
        let file = try input(Self.sentences)
        let run = try await CommandRun(
            words: ["convert", file, "--max-hdop", "2", "-o", folder.path("a.nmea")])
        #expect(await run.status() == 3)
        #expect(folder.names == ["in"])
    }

    @Test func `record writes sentences without a fix as soon as they arrive`() async throws {
        let receiver = try ScriptedReceiver()
        let path = folder.path("a.nmea")
        let run = try await CommandRun(
            words: ["record", receiver.path, "-b", "9600", "-f", "nmea", "-o", path])
        // Bytes from before the setup of the tty are dropped.
        _ = try await run.message()
        for (index, sentence) in Self.sentences.enumerated() {
            await receiver.send(sentence + "\r\n")
            let expected = Self.bytes(Array(Self.sentences[...index]))
            try await waitForFile(path) { $0 == expected }
        }
        await run.end()
    }

    @Test func `record copies a file of sentences without a fix`() async throws {
        let file = try input(Self.sentences)
        let run = try await CommandRun(
            words: ["record", file, "-f", "nmea", "-o", folder.path("a.nmea")])
        #expect(await run.status() == 0)
        #expect(try folder.bytes("a.nmea") == folder.bytes("in"))
    }
}
