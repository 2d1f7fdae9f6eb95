// SPDX-License-Identifier: MIT
import GPSTestSupport
import Testing

/// The option `--columns` of `monitor`, `record` and `convert`.
@Suite(.timeLimit(.generous))
struct ColumnsTests {
    private let folder: TemporaryFolder
    /// A recording of an hour, with a depth in each cycle.
    private let recording: String

    init() throws {
        folder = try TemporaryFolder()
        let depth = Array("$SDDPT,7.9,-1.2,50.0*40\r\n".utf8)
        let epochs = (0..<3600).flatMap { ScriptedReceiver.epoch($0) + depth }
        recording = try folder.file("boat.nmea", epochs)
    }

    /// Returns the cells of a column.
    private func column(_ title: String, of lines: [String]) throws -> [String] {
        let rows = lines.map { $0.split(separator: ",", omittingEmptySubsequences: false) }
        let index = try #require(rows.first?.firstIndex { $0 == title })
        return rows.dropFirst().map { String($0[index]) }
    }

    @Test(arguments: [
        ["monitor", "-f", "csv", "-n", "9", "--speed", "1e6"], ["convert", "-t", "csv"],
        ["convert", "-t", "csv", "--jobs", "3"],
    ])
    func `CSV has depths on request`(_ words: [String]) async throws {
        let run = try await CommandRun(words: words + ["--columns", "instruments", recording])
        let lines = try await run.lines()
        #expect(lines.count > 9)
        // The cycle of the first fix ends before the sentence is complete.
        #expect(try column("depth_m", of: lines).dropFirst(4).allSatisfy { $0 == "7.90" })
        #expect(try column("latitude_deg", of: lines).allSatisfy { $0.hasPrefix("48.2") })
        #expect(!lines[0].contains("vote"))
    }

    @Test func `GeoJSON has depths, which are read back`() async throws {
        let path = folder.path("boat.geojson")
        let first = try await CommandRun(words: ["convert", recording, "-o", path])
        #expect(await first.status() == 0)
        let words = ["convert", path, "-t", "csv", "--columns", "instruments"]
        let lines = try await CommandRun(words: words).lines()
        #expect(try column("depth_m", of: lines).dropFirst(4).allSatisfy { $0 == "7.90" })
    }

    @Test func `a recording has the columns, and is continued only with them`() async throws {
        let path = folder.path("a.csv")
        let words = ["record", recording, "-o", path]
        let first = try await CommandRun(words: words + ["--columns", "instruments,vote"])
        #expect(await first.status() == 0)
        let lines = GPSTestSupport.lines(of: readFile(path))
        #expect(try column("depth_m", of: lines).last == "7.90")
        #expect(try column("vote", of: lines).allSatisfy(\.isEmpty))
        let other = try await CommandRun(words: words)
        #expect(await other.status() != 0)
        #expect(GPSTestSupport.lines(of: readFile(path)) == lines)
    }
}
