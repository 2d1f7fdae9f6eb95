// SPDX-License-Identifier: MIT
import GPSFormats
import GPSTestSupport
import Testing

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
