// SPDX-License-Identifier: MIT
import TestSupport
import Testing

/// Recordings that other programs have compressed or encoded.
@Suite(.timeLimit(.generous))
struct ForeignCodingTests {
    private static let starts: [([UInt8], String)] = [
        ([0x1F, 0x8B, 8, 0, 0, 0], "is compressed by gzip: read it by `zcat"),
        ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], "is compressed by xz: read it by `xzcat"),
        ([0xFF, 0xFE, 0x24, 0, 0x47, 0], "is UTF-16: read it by `iconv -f UTF-16 -t UTF-8"),
    ]

    @Test(arguments: starts, [["convert", "--to", "gpx"], ["monitor", "-f", "text"]])
    func `what it is is said, and how it is read`(
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
