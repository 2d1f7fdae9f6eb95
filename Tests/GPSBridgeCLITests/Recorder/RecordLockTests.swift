// SPDX-License-Identifier: MIT
import GPSTestSupport
import Glibc
import Testing

/// A file that another process is recording to.
@Suite(.timeLimit(.generous))
struct RecordLockTests {
    @Test(.enabled(if: access("/usr/bin/flock", X_OK) == 0, "flock is not installed"))
    func `record waits for a file that a killed recording still has locked`() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("a.nmea", [])
        // `record` waits at most three seconds for the lock.
        let isRecorded = try await repeated(ifPausedFor: .seconds(3)) {
            // Like a process killed while the disk is slow: it holds the file for a moment.
            let holder = try await CommandRun(
                "/usr/bin/flock", words: [path, "/bin/sh", "-c", "echo locked; sleep 1"])
            #expect(try await holder.line() == "locked")
            let run = try await CommandRun(
                words: ["record", "simulated:rate=10", "-o", path])
            guard try await run.message(with: "recording simulated") != nil else {
                _ = await holder.status()
                return false
            }
            await run.end()
            return true
        }
        #expect(isRecorded)
    }
}
