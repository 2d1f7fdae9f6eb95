// SPDX-License-Identifier: MIT
import GPSTestSupport
import Glibc
import Testing

/// The output of `record --compress`, examined by the program zstd.
@Suite(
    .timeLimit(.generous),
    .enabled(if: access("/usr/bin/zstd", X_OK) == 0, "zstd is not installed"))
struct CompressedRecordTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Returns the lines of a complete file; throws for one that is cut off.
    private func lines(_ path: String) async throws -> [String] {
        let run = try await CompressedFile(path: path).decompress()
        let lines = try await run.lines()
        #expect(try await run.messages() == [])
        #expect(await run.status() == 0)
        return lines
    }

    private func count(_ text: String, in path: String) async throws -> Int {
        try await lines(path).count { $0.contains(text) }
    }

    @Test(arguments: [("gpx", "</trkpt>"), ("geojson", "Feature\""), ("nmea", "GGA")])
    func `data recorded a second before kill -9 is in a complete file, which is continued`(
        _ format: String, _ mark: String
    ) async throws {
        let tty = folder.path("gps")
        let path = folder.path("a.\(format).zst")
        let words = ["record", tty, "-b", "9600", "-z", "-o", folder.path("a.\(format)")]
        for round in 1...3 {
            let receiver = try ScriptedReceiver(link: tty)
            let run = try await CommandRun(words: words)
            #expect(
                try await run.message()?.contains(
                    round == 1 ? " to \(path)" : ", continuing \(path), which ends 20") == true)
            for second in 0..<4 { await receiver.sendEpoch(round * 10 + second) }
            // No further byte arrives from the receiver.
            try await waitForFile(path) { _ in
                try await CompressedFile(path: path).has(round * 3, mark)
            }
            run.send(SIGKILL)
            #expect(await run.status() == -1)
            #expect(try await count(mark, in: path) >= round * 3)
            receiver.unplug()
        }
        let all = try await lines(path)
        if format == "gpx" {
            #expect(all.last == "</gpx>")
            #expect(all.count { $0.hasPrefix("<trk>") } == all.count { $0 == "</trkseg></trk>" })
        }
        if format == "geojson" { #expect(all.last == "]}") }
    }

    @Test func `a recording that is cut off is reported when it is copied`() async throws {
        let capture = try folder.file("capture", (0..<60).flatMap { ScriptedReceiver.epoch($0) })
        let words = ["record", capture, "-o", folder.path("a.nmea.zst")]
        #expect(await (try await CommandRun(words: words)).status() == 0)
        let whole = try folder.bytes("a.nmea.zst")
        let short = try folder.file("b.nmea.zst", whole + whole.dropLast(3))
        let run = try await CommandRun(words: ["record", short, "-o", folder.path("c.nmea")])
        let end = " is cut off: the end of the compressed data is missing"
        #expect(try await run.messages().count { $0.hasSuffix(end) } == 1)
        #expect(await run.status() == 0)
    }

    @Test(arguments: [1, 2, 3, 7, 20, 100])
    func `an end that was cut off is repaired at the next start, before new data`(
        _ missing: Int
    ) async throws {
        let recording = try folder.file("capture", (0..<60).flatMap { ScriptedReceiver.epoch($0) })
        let path = folder.path("a.gpx.zst")
        let words = ["record", recording, "-o", path]
        #expect(await (try await CommandRun(words: words)).status() == 0)
        #expect(try await count("</trkpt>", in: path) == 60)
        let whole = try folder.bytes("a.gpx.zst")
        _ = try folder.file("a.gpx.zst", Array(whole.dropLast(missing)))

        let receiver = try ScriptedReceiver()
        let run = try await CommandRun(
            words: ["record", receiver.path, "-b", "9600", "-o", path])
        _ = try await run.message()
        let mended = try await lines(path)
        #expect(mended.last == "</gpx>")
        #expect(mended.allSatisfy { !$0.hasPrefix("<trkpt ") || $0.hasSuffix("</trkpt>") })
        await run.end(by: SIGINT)
    }

    @Test(arguments: ["a.gpx.zst", "a.GPX.ZST"])
    func `a file name selects the format and the compression`(_ name: String) async throws {
        let recording = try folder.file("capture", (0..<3).flatMap { ScriptedReceiver.epoch($0) })
        let run = try await CommandRun(words: ["record", recording, "-o", folder.path(name)])
        #expect(await run.status() == 0)
        #expect(try await lines(folder.path(name)).last == "</gpx>")
    }

    @Test func `a recording compressed by zstd itself is continued`() async throws {
        let recording = try folder.file("capture", (0..<3).flatMap { ScriptedReceiver.epoch($0) })
        let path = folder.path("a.gpx")
        #expect(
            await (try await CommandRun(words: ["record", recording, "-o", path])).status() == 0)
        #expect(await (try await CommandRun("/usr/bin/zstd", words: ["-q", path])).status() == 0)
        let run = try await CommandRun(words: ["record", recording, "-z", "-o", path])
        #expect(await run.status() == 0)
        #expect(try await count("</trkpt>", in: path + ".zst") == 6)
    }

    @Test func `a file with another compression is not changed`() async throws {
        let recording = try folder.file("capture", ScriptedReceiver.epoch(0))
        let text = try folder.file("a.gpx", Array("<gpx>mine</gpx>\n".utf8))
        let made = try await CommandRun("/usr/bin/zstd", words: ["-q", text])
        #expect(await made.status() == 0)
        try await CommandRun.expectFailure(
            ["record", recording, "-z", "-o", text], status: 1, "it exists and is not a recording")
        #expect(try await lines(text + ".zst") == ["<gpx>mine</gpx>"])
    }

    @Test
    func `a file that cannot be decompressed, or is too short to be recognised, is not changed`()
        async throws
    {
        let recording = try folder.file("capture", (0..<9).flatMap { ScriptedReceiver.epoch($0) })
        let path = folder.path("a.nmea.zst")
        let words = ["record", recording, "-o", path]
        #expect(await (try await CommandRun(words: words)).status() == 0)
        var damaged = try folder.bytes("a.nmea.zst")
        for index in 9..<40 { damaged[index] ^= 0xA5 }
        for bytes in [damaged, Array("hi\n".utf8)] {
            _ = try folder.file("a.nmea.zst", bytes)
            try await CommandRun.expectFailure(words, status: 1, "it exists and")
            #expect(try folder.bytes("a.nmea.zst") == bytes)
        }
    }

    @Test func `a compressed recording is converted and replayed like a plain one`() async throws {
        let epochs = (0..<300).flatMap { ScriptedReceiver.epoch($0) }
        let capture = try folder.file("capture", epochs)
        let recorded = try await CommandRun(
            words: ["record", capture, "-z", "-o", folder.path("a.nmea"), "--rotate", "1k"])
        #expect(await recorded.status() == 0)
        let names = folder.names
            .filter { $0.hasPrefix("a-") && $0.hasSuffix(".nmea.zst") }
        let path = folder.path(try #require(names.first))
        let converted = try await CommandRun(words: ["convert", path, "--to", "nmea"]).lines()
        #expect(converted.map { $0 + "\n" }.joined() == String(decoding: epochs, as: UTF8.self))
        let piped = try await CommandRun(words: ["convert", "-", "--to", "csv"], input: path)
        #expect(try await piped.lines().count == 301)
        for words in [[path], ["-"]] {
            let replayed = try await CommandRun(
                words: ["monitor", "-f", "text", "--speed", "1e6"] + words, input: path)
            #expect(try await replayed.lines().count == 300)
            #expect(await replayed.status() == 0)
        }
    }

    @Test func `a damaged file is converted up to the damage, which is reported`() async throws {
        let capture = try folder.file("capture", (0..<3000).flatMap { ScriptedReceiver.epoch($0) })
        let made = try await CommandRun("/usr/bin/zstd", words: ["-q", capture])
        #expect(await made.status() == 0)
        let whole = try folder.bytes("capture.zst")
        for (bytes, text) in [
            (Array(whole.dropLast(6)), "is cut off"),
            (whole + Array("not zstd at all".utf8), "is damaged"),
        ] {
            let path = try folder.file("torn.zst", bytes)
            let run = try await CommandRun(words: ["convert", path, "--to", "gpx"])
            let lines = try await run.lines()
            #expect(lines.count { $0.hasPrefix("<trkpt ") } > 200)
            #expect(lines.last == "</gpx>")
            #expect(try await run.messages().first?.contains(text) == true)
            #expect(await run.status() == 1)
        }
    }
}
