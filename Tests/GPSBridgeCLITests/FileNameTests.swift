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

/// Recordings that other programs have compressed or encoded.
@Suite(.timeLimit(.generous))
struct ForeignCodingTests {
    private static let starts: [([UInt8], String)] = [
        ([0x42, 0x5A, 0x68, 0x39, 0x31, 0x41], "is compressed with bzip2: read it with `bzcat"),
        ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], "is compressed with xz: read it with `xzcat"),
        ([0xFF, 0xFE, 0x24, 0, 0x47, 0], "is UTF-16: read it with `iconv -f UTF-16 -t UTF-8"),
        (
            [0x24, 0, 0x47, 0, 0x50, 0, 0x47, 0],
            "is UTF-16: read it with `iconv -f UTF-16LE -t UTF-8"
        ),
        (
            [0, 0x3C, 0, 0x67, 0, 0x70, 0, 0x78],
            "is UTF-16: read it with `iconv -f UTF-16BE -t UTF-8"
        ),
    ]

    @Test(arguments: starts, [["convert", "--to", "gpx"], ["monitor", "-f", "text"]])
    func `the encoding of a file is reported with the command that decodes it`(
        _ start: ([UInt8], String), _ words: [String]
    ) async throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("a.nmea", start.0 + [UInt8](repeating: 0x41, count: 100))
        for (words, input) in [(words + [path], "/dev/null"), (words + ["-"], path)] {
            let run = try await CommandRun(words: words, input: input)
            let message = try await run.message()
            #expect(message?.contains(start.1) == true, "\(message ?? "")")
            #expect(await run.status() == 1)
        }
    }
}
