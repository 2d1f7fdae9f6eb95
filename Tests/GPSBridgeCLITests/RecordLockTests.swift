// SPDX-License-Identifier: MIT
import Glibc
import TestSupport
import Testing

/// A file that another process records to.
@Suite(.timeLimit(.generous))
struct RecordLockTests {
    @Test func `a file is waited for that a killed recording has not yet let go`() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("a.nmea", [])
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        try #require(flock(descriptor, LOCK_EX) == 0)
        let run = try await CommandRun(
            words: ["record", "simulated:rate=10", "-o", path, "-d", "5"])
        await run.waitUntilOpen(path)
        close(descriptor)
        #expect(try await run.message(with: "recording simulated") != nil)
        run.send(SIGTERM)
        #expect(await run.status() == 0)
    }
}
