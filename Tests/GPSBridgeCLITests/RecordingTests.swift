// SPDX-License-Identifier: MIT
import GPSTestSupport
import Testing

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
