// SPDX-License-Identifier: MIT
import GPSTestSupport

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
