// SPDX-License-Identifier: MIT
import GNSS
import GPSTestSupport
import Testing

/// File names are bytes, which need not be UTF-8.
@Suite(.timeLimit(.generous))
struct FileNameTests {
    @Test(arguments: [
        [0x61, 0x62], [0x63, 0xE9, 0x2E], [0xFF, 0xC3, 0xA9, 0xC3], [0xF0, 0x9F, 0x8D, 0x95, 0x80],
    ])
    func `a file name survives conversion to a string and back`(_ bytes: [UInt8]) {
        let name = FileName.string(bytes)
        let native = FileName.native(name)
        #expect(native.map { UInt8(bitPattern: $0) } == bytes + [0])
        #expect(FileName.string(terminated: native) == name)
    }

    @Test func `files with names that are not UTF-8 are read and written`() async throws {
        let folder = try TemporaryFolder()
        _ = try folder.file("a.nmea", (0..<3).flatMap { ScriptedReceiver.epoch($0) })
        let script = """
            set -e
            name="$1/$(printf 'caf\\351')"
            cp "$1/a.nmea" "$name.nmea"
            "$0" monitor "$name.nmea" -f text --speed 1000
            "$0" convert "$name.nmea" -o "$name.gpx" --plot "$name.svg"
            "$0" record "$name.nmea" -o "$name.csv"
            grep -c '<trkpt' "$name.gpx"
            grep -c '3D' "$name.csv"
            grep '<name>' "$name.gpx"
            ls "$1" | wc -l
            """
        let run = try await CommandRun(
            "/bin/sh", words: ["-c", script, CommandRun.executable, folder.path])
        let lines = try await run.lines()
        #expect(lines.count == 7, "\(lines)")
        #expect(lines[3...4] == ["3", "3"])
        #expect(lines[5].contains("<name>caf\u{FFFD}.nmea</name>"))
        #expect(lines[6].hasSuffix("5"))
        #expect(await run.status() == 0)
    }
}
