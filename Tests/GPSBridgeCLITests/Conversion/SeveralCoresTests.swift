// SPDX-License-Identifier: MIT
import GPSTestSupport
import Testing

/// The option `--jobs` of `convert`, in complete runs of the command.
@Suite(.timeLimit(.generous))
struct SeveralCoresTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func convert(
        _ paths: [String], to format: String, jobs: Int, input: String = "/dev/null"
    ) async throws -> (bytes: [UInt8]?, messages: [String], status: Int32) {
        let output = folder.path("\(jobs).\(format)")
        let words = ["convert"] + paths + ["--jobs", "\(jobs)", "-o", output]
        let run = try await CommandRun(words: words, input: input)
        let (messages, status) = (try await run.messages(), await run.status())
        return (try? folder.bytes("\(jobs).\(format)"), messages, status)
    }

    /// Returns hours of a drive, made by repeating some minutes.
    private func drive(hours: Int) -> [UInt8] {
        let minutes = (0..<600).flatMap {
            ScriptedReceiver.epoch($0, latitude: 48 + Double($0) / 10_000)
        }
        return Array(repeatElement(minutes, count: 6 * hours).joined())
    }

    @Test(arguments: ["json", "gpx", "csv"])
    func `recordings that need one core do not change the output for others on several`(
        _ format: String
    ) async throws {
        let track = """
            <gpx version="1.1"><trk><trkseg><trkpt lat="1" lon="2"><time>2026-03-21T13:00:00Z</time></trkpt>
            </trkseg></trk></gpx>
            """
        let paths = [
            try folder.file("a.nmea", drive(hours: 2)), try folder.file("b.gpx", Array(track.utf8)),
            try folder.file("c.nmea", drive(hours: 1)),
            try folder.file("d.nmea", Array("no\n".utf8)),
            "-", try folder.file("e.nmea", drive(hours: 1)),
        ]
        let input = try folder.file("input", drive(hours: 1))
        let one = try await convert(paths, to: format, jobs: 1, input: input)
        let several = try await convert(paths, to: format, jobs: 3, input: input)
        let isSame = several.bytes == one.bytes
        #expect(isSame && one.bytes != nil)
        #expect(one.messages.count == 1)
        #expect(one.messages.first?.hasPrefix("gpsbridge: \(paths[3]) is not in a known") == true)
        #expect(several.messages == one.messages)
        #expect((one.status, several.status) == (0, 0))
    }

    /// Returns a megabyte of a sentence without a position.
    private func lines(_ sentence: String) -> [UInt8] {
        Array(repeatElement(Array("\(sentence)\r\n".utf8), count: 45_000).joined())
    }

    @Test func `if no fix was written, that is reported after all files`() async throws {
        let paths = [
            try folder.file("a.nmea", lines("$GPGGA,broken by noise*00")),
            try folder.file("b.nmea", lines("$GPGSV,1,1,01,29,36,029,42*4B")),
        ]
        let run = try await convert(paths, to: "csv", jobs: 2)
        #expect(run.bytes == nil)
        #expect(
            run.messages == [
                "gpsbridge: \(paths[0]) contains no valid sentence, only rejected ones, mostly with too few fields",
                "gpsbridge: no fix was written: none has a position, or options such as --after or --max-hdop omit all",
                "gpsbridge: \(folder.path("2.csv")) is not written, because it would be empty",
            ])
        #expect(run.status == 3)
    }

    @Test func `one file with fixes is enough, at any position in the list`() async throws {
        let empty = try folder.file("empty.nmea", lines("$GPGSV,1,1,01,29,36,029,42*4B"))
        let paths = [empty, try folder.file("a.nmea", drive(hours: 1)), empty]
        let several = try await convert(paths, to: "json", jobs: 3)
        let one = try await convert(paths, to: "json", jobs: 1)
        let isSame = several.bytes == one.bytes
        #expect(isSame && one.bytes != nil)
        #expect((one.status, several.status) == (0, 0))
    }

    @Test func `more files than the usual limit of open files are converted in order`() async throws
    {
        let drive = drive(hours: 1)
        let paths = try (0..<300).map { index in
            try folder.file("\(1000 + index).nmea", Array(drive[50 * index..<50 * index + 7200]))
        }
        let several = try await convert(paths, to: "csv", jobs: 3)
        let one = try await convert(paths, to: "csv", jobs: 1)
        let isSame = several.bytes == one.bytes
        #expect(isSame && one.bytes != nil)
        #expect((one.status, several.status) == (0, 0))
    }
}
