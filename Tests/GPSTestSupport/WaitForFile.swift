// SPDX-License-Identifier: MIT
import GPSIO
import Glibc

/// Waits until a file's bytes satisfy a condition, checking after each change in its folder.
///
/// A missing file has no bytes. Throws when the task is cancelled.
package func waitForFile(
    _ path: String, until isWanted: ([UInt8]) async throws -> Bool
) async throws {
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    let changes = Descriptor(inotify_init1(CInt(IN_NONBLOCK) | CInt(IN_CLOEXEC)))
    _ = changes.use {
        inotify_add_watch($0, folder, UInt32(IN_CREATE) | UInt32(IN_MODIFY) | UInt32(IN_MOVED_TO))
    }
    while try await !isWanted(readFile(path)) {
        guard case .bytes = await changes.read(atMost: 4096, until: nil) else {
            throw CancellationError()
        }
    }
}

/// The bytes of a file; empty if it cannot be read.
package func readFile(_ path: String) -> [UInt8] {
    let fd = open(path, O_RDONLY | O_CLOEXEC)
    guard fd >= 0 else { return [] }
    defer { close(fd) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
        let count = read(fd, &buffer, buffer.count)
        guard count > 0 else { return bytes }
        bytes += buffer[..<count]
    }
}

/// The complete lines.
package func lines(of bytes: [UInt8]) -> [String] {
    bytes.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast()
        .map { String(decoding: $0, as: UTF8.self) }
}
