// SPDX-License-Identifier: MIT
import GPSTestSupport
import Testing

extension CommandRun {
    /// Runs `gpsbridge`; expects that its last message contains a text, and that it ends with a status.
    static func expectFailure(
        _ words: [String], status: CInt, _ text: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let run = try await CommandRun(words: words)
        let messages = try await run.messages()
        #expect(
            messages.last?.contains(text) == true, "\(messages)", sourceLocation: sourceLocation)
        #expect(await run.status() == status, sourceLocation: sourceLocation)
    }
}

/// A compressed file, which the program gzip or zstd decompresses.
struct CompressedFile {
    let path: String

    /// Starts the program, whose output is the content.
    func decompress() async throws -> CommandRun {
        let program = path.hasSuffix("gz") ? "/bin/gzip" : "/usr/bin/zstd"
        return try await CommandRun(program, words: ["-dcq", path])
    }

    /// Returns whether the file is complete and has at least `count` lines with a text. A file that
    /// is read while a program writes to it may be cut off.
    func has(_ count: Int, _ text: String) async throws -> Bool {
        let run = try await decompress()
        let found = try await run.lines().count { $0.contains(text) }
        return await run.status() == 0 && found >= count
    }
}

/// Calls a test of a program that waits only for `limit`, and returns its result. If it fails and
/// took at least this time, the machine has probably paused. Then it is called again, at most four
/// times.
func repeated(
    ifPausedFor limit: Duration, _ isAsExpected: () async throws -> Bool
) async throws -> Bool {
    for _ in 0..<5 {
        let start = ContinuousClock.now
        if try await isAsExpected() { return true }
        guard start.duration(to: .now) >= limit, !Task.isCancelled else { return false }
    }
    return false
}
