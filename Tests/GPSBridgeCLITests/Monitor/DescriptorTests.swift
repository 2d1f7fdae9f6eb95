// SPDX-License-Identifier: MIT
import GPSTestSupport
import Glibc
import Testing

@Suite(.timeLimit(.generous))
struct DescriptorTests {
    private let capture = (0..<3).flatMap { ScriptedReceiver.epoch($0) }

    @Test(arguments: ["itself", "hard link", "symbolic link"])
    func `a recording is not overwritten by its conversion`(_ name: String) async throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("itself", capture)
        if name == "hard link" { #expect(link(path, folder.path(name)) == 0) }
        if name == "symbolic link" { #expect(symlink(path, folder.path(name)) == 0) }
        for (words, input) in [(path, "/dev/null"), ("-", path)] {
            let run = try await CommandRun(
                words: ["convert", words, "--to", "json", "-o", folder.path(name)], input: input)
            let expected =
                "cannot write to \(folder.path(name)): it is the recording itself; give the output another name"
            #expect(try await run.messages() == ["gpsbridge: \(expected)"])
            #expect(await run.status() == 1)
        }
        let again = try await CommandRun(words: ["convert", path, "--to", "json"])
        #expect(try await again.lines().count == 3)
    }

    @Test func `a longer file is emptied before it is written to`() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("track.nmea", capture)
        let words = ["convert", path, "--to", "json", "-o"]
        let target = try folder.file("track.json", [UInt8](repeating: 0x20, count: 5000))
        #expect(await (try CommandRun(words: words + [target])).status() == 0)
        let direct = try await CommandRun(words: words.dropLast())
        #expect(try await lines(of: readFile(target)) == direct.lines())
    }

    @Test func `closed standard input is empty`() async throws {
        let run = try await CommandRun(words: ["monitor", "-", "-f", "json"], closed: [0])
        let expected = ["gpsbridge: standard input contains no valid sentence"]
        #expect(try await run.messages() == expected)
        #expect(await run.status() == 3)
    }

    @Test func `closed standard output is an error, even if a file has its descriptor`()
        async throws
    {
        let folder = try TemporaryFolder()
        let path = try folder.file("track.nmea", capture)
        let run = try await CommandRun(words: ["convert", path, "--to", "json"], closed: [1])
        let expected = ["gpsbridge: cannot write to standard output: Bad file descriptor"]
        #expect(try await run.messages() == expected)
        #expect(await run.status() == 1)
        let quiet = try await CommandRun(
            words: ["convert", path, "--to", "json"], closed: [0, 1, 2])
        #expect(await quiet.status() == 1)
    }

    @Test func `the first signal ends the wait for a pipe's writer`() async throws {
        let folder = try TemporaryFolder()
        let pipe = folder.path("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let run = try await CommandRun(words: ["convert", pipe, "--to", "json"])
        await run.waitUntilOpen(pipe)
        run.send(SIGINT)
        #expect(await run.status() == 130)
    }

    @Test func `the first signal ends the wait for a pipe's reader`() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("track.nmea", capture)
        let pipe = folder.path("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let run = try await CommandRun(words: ["convert", path, "--to", "json", "-o", pipe])
        await run.waitUntilOpen(path)
        run.send(SIGINT)
        #expect(await run.status() == 130)
    }

    @Test func `a pipe receives the output`() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("track.nmea", capture)
        let pipe = folder.path("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let run = try await CommandRun(words: ["convert", path, "--to", "json", "-o", pipe])
        let reader = try await CommandRun("/bin/cat", words: [pipe])
        #expect(try await reader.lines().count == 3)
        #expect(await run.status() == 0)
    }
}
