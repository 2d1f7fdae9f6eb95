// SPDX-License-Identifier: MIT
import GPSTestSupport
import Glibc
import Testing

/// Compressed files of `convert` and `record`, read by the programs gzip and zstd.
@Suite(.timeLimit(.generous))
struct CompressedOutputTests {
    private static let programs = ["gz": "/bin/gzip", "zst": "/usr/bin/zstd"]
    private static let names: [String] =
        ["json", "gpx", "kml", "geojson", "geojsons", "csv", "nmea"].flatMap { format in
            programs.filter { access($0.value, X_OK) == 0 }.keys.map { "a.\(format).\($0)" }
        }

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func capture(_ epochs: Range<Int>) throws -> String {
        try folder.file("capture", epochs.flatMap { ScriptedReceiver.epoch($0) })
    }

    /// Returns the content of a compressed file, decompressed by another program.
    private func lines(_ path: String) async throws -> [String] {
        let run = try await CompressedFile(path: path).decompress()
        let lines = try await run.lines()
        #expect(await run.status() == 0)
        return lines
    }

    @Test(arguments: names)
    func `compressed output has the same content, and can be read again`(
        _ name: String
    ) async throws {
        let capture = try capture(0..<300)
        let path = folder.path(name)
        let plain = folder.path(name.split(separator: ".").dropLast().joined(separator: "."))
        for output in [path, plain] {
            let run = try await CommandRun(words: ["convert", capture, "-o", output])
            #expect(await run.status() == 0)
        }
        let text = try await CommandRun("/bin/cat", words: [plain]).lines()
        #expect(try await lines(path) == text)
        #expect(readFile(path).count < readFile(plain).count)
        let back = try await CommandRun(words: ["convert", path, "--to", "csv"])
        #expect(try await back.lines().count == 301)
        #expect(await back.status() == 0)
    }

    @Test(.enabled(if: access("/bin/gzip", X_OK) == 0, "gzip is not installed"))
    func `output is compressed with --to and on several cores, too`()
        async throws
    {
        let capture = try capture(0..<30_000)
        let path = folder.path("a.gz")
        let run = try await CommandRun(
            words: ["convert", capture, "--to", "csv", "-j", "2", "-o", path])
        #expect(await run.status() == 0)
        #expect(try await lines(path).count == 30_001)
    }

    @Test(
        .enabled(if: access("/bin/gzip", X_OK) == 0, "gzip is not installed"),
        arguments: [("a.gpx.gz", "</trkpt>"), ("a.csv.gz", ",3D,"), ("a.nmea.gz", "GGA,")])
    func `a gzip recording is complete after kill -9, and is continued`(
        _ name: String, _ mark: String
    ) async throws {
        let tty = folder.path("gps")
        let path = folder.path(name)
        for round in 1...3 {
            let receiver = try ScriptedReceiver(link: tty)
            let run = try await CommandRun(words: ["record", tty, "-b", "9600", "-o", path])
            let message = try await run.message()
            let words = round == 1 ? " to \(path)" : ", continuing \(path), which ends 20"
            #expect(message?.contains(words) == true)
            for second in 0..<4 { await receiver.sendEpoch(round * 10 + second) }
            try await waitForFile(path) { _ in
                try await CompressedFile(path: path).has(round * 3, mark)
            }
            run.send(SIGKILL)
            #expect(await run.status() == -1)
            #expect(try await lines(path).count { $0.contains(mark) } >= round * 3)
            receiver.unplug()
        }
        if name.contains("gpx") { #expect(try await lines(path).last == "</gpx>") }
        // The next run repairs an end that was cut off.
        let whole = readFile(path)
        _ = try folder.file(name, Array(whole.dropLast(9)))
        let more = try await CommandRun(words: ["record", try capture(100..<110), "-o", path])
        #expect(await more.status() == 0)
        #expect(try await lines(path).count { $0.contains(mark) } >= 15)
    }

    @Test(
        .enabled(if: access("/bin/gzip", X_OK) == 0, "gzip is not installed"),
        arguments: ["csv", "gpx", "kml"], [[], ["--merge"]])
    func `the part of a route before the end of compressed data that is cut off is converted`(
        _ format: String, _ words: [String]
    ) async throws {
        let points = (0..<300).map { index in
            "<rtept lat=\"48.\(1000 + index)\" lon=\"16.\(9000 - 7 * index)\">"
                + "<time>2026-03-21T12:\(10 + index / 50):\(10 + index % 50)Z</time></rtept>\n"
        }
        let text = "<gpx><rte>\(points.joined())</rte></gpx>"
        let whole = try folder.file("route.gpx", Array(text.utf8))
        let cut = folder.path("cut.gpx.gz")
        let script = "gzip -c '\(whole)' | head -c -20 > '\(cut)'"
        #expect(await (try await CommandRun("/bin/sh", words: ["-c", script])).status() == 0)
        let run = try await CommandRun(words: ["convert", cut, "--to", format] + words)
        let lines = try await run.lines()
        let mark = ["csv": ",48.1", "gpx": "<rtept ", "kml": "<Point>"][format]
        let count = lines.count { $0.contains(mark ?? "?") }
        #expect(100...300 ~= count, "\(count)")
        #expect(
            try await run.messages() == [
                "gpsbridge: \(cut) is cut off: the end of the compressed data is missing"
            ])
        #expect(await run.status() == 1)
    }

    @Test(.enabled(if: access("/bin/gzip", X_OK) == 0, "gzip is not installed"))
    func `the last row of a table that is cut off within compressed data is not converted`()
        async throws
    {
        let rows = (0..<300).map { "48.\(1000 + $0),16.\(9000 - 7 * $0)\n" }
        let whole = try folder.file("table.csv", Array("lat,lon\n\(rows.joined())".utf8))
        let cut = folder.path("cut.csv.gz")
        let script = "gzip -c '\(whole)' | head -c -20 > '\(cut)'"
        #expect(await (try await CommandRun("/bin/sh", words: ["-c", script])).status() == 0)
        let run = try await CommandRun(words: ["convert", cut, "--to", "csv"])
        let lines = try await run.lines().dropFirst()
        #expect(100..<300 ~= lines.count)
        for (index, line) in lines.enumerated() {
            #expect(line.hasPrefix(",48.\(1000 + index)00000,16.\(9000 - 7 * index)00000,"))
        }
        #expect(await run.status() == 1)
    }

    @Test func `a file that is not gzip is not changed`() async throws {
        let path = try folder.file("a.gpx.gz", Array("mine\n".utf8))
        try await CommandRun.expectFailure(
            ["record", try capture(0..<3), "-o", path], status: 1,
            "it exists and is not a recording")
        #expect(readFile(path) == Array("mine\n".utf8))
    }
}
