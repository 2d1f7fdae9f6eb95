// SPDX-License-Identifier: MIT
import GPSTestSupport
import Testing

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
