// SPDX-License-Identifier: MIT
import GPSTestSupport
import Testing

/// Sentences of lines without a fix, such as those of AIS receivers and wind sensors, in the format
/// `nmea`.
@Suite(.timeLimit(.generous))
struct SentencesWithoutFixTests {
    private static let sentences = [
        "!AIVDM,1,1,,B,177KQJ5000G?tO`K>RA1wUbN0TKH,0*5C", "$WIMWV,214.8,R,0.1,K,A*28",
    ]

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private static func bytes(_ sentences: [String]) -> [UInt8] {
        Array(sentences.map { $0 + "\r\n" }.joined().utf8)
    }

    private func input(_ sentences: [String]) throws -> String {
        try folder.file("in", Self.bytes(sentences))
    }

    @Test(arguments: sentences)
    func `convert writes a file of sentences without a fix`(_ sentence: String) async throws {
        let file = try input([sentence])
        let output = folder.path("a.nmea")
        let run = try await CommandRun(words: ["convert", file, "-o", output])
        #expect(try await run.messages() == [])
        #expect(await run.status() == 0)
        #expect(try folder.bytes("a.nmea") == folder.bytes("in"))
        let printed = try await CommandRun(words: ["convert", file, "--to", "nmea"])
        #expect(try await printed.lines().count == 1)
        #expect(await printed.status() == 0)
    }

    @Test func `a selection of fixes from a file without a fix writes no file`() async throws {
        let file = try input(Self.sentences)
        let run = try await CommandRun(
            words: ["convert", file, "--max-hdop", "2", "-o", folder.path("a.nmea")])
        #expect(await run.status() == 3)
        #expect(folder.names == ["in"])
    }

    @Test func `record writes sentences without a fix as soon as they arrive`() async throws {
        let receiver = try ScriptedReceiver()
        let path = folder.path("a.nmea")
        let run = try await CommandRun(
            words: ["record", receiver.path, "-b", "9600", "-f", "nmea", "-o", path])
        // Bytes from before the setup of the tty are dropped.
        _ = try await run.message()
        for (index, sentence) in Self.sentences.enumerated() {
            await receiver.send(sentence + "\r\n")
            let expected = Self.bytes(Array(Self.sentences[...index]))
            try await waitForFile(path) { $0 == expected }
        }
        await run.end()
    }

    @Test func `record copies a file of sentences without a fix`() async throws {
        let file = try input(Self.sentences)
        let run = try await CommandRun(
            words: ["record", file, "-f", "nmea", "-o", folder.path("a.nmea")])
        #expect(await run.status() == 0)
        #expect(try folder.bytes("a.nmea") == folder.bytes("in"))
    }
}
