// SPDX-License-Identifier: MIT
import GPSIO
import Glibc
import Synchronization

/// A folder for one test, removed with its contents when it is released, at the latest when the
/// process exits: a task may still hold it, or write into it, after the test.
///
/// It is created in `TMPDIR`, which `scripts/test` sets, so that nothing remains even if the
/// process of a test is killed.
package final class TemporaryFolder: Sendable {
    package let path: String

    /// The folders that have not been removed yet.
    private static let remaining = Mutex<Set<String>>([])
    private static let removesAtExit: Bool = {
        atexit {
            for path in TemporaryFolder.remaining.withLock({ $0 }) { TemporaryFolder.remove(path) }
        }
        return true
    }()

    package init() throws {
        _ = Self.removesAtExit
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(parent)/gpsbridge-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw POSIXError(errno) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        _ = Self.remaining.withLock { [path] in $0.insert(path) }
    }

    deinit {
        Self.remove(path)
        if access(path, F_OK) != 0 { _ = Self.remaining.withLock { [path] in $0.remove(path) } }
    }

    private static func remove(_ path: String) { remove(Array(path.utf8CString)) }

    /// As bytes, because names need not be UTF-8.
    private static func remove(_ path: [CChar]) {
        guard Glibc.remove(path) != 0, let folder = opendir(path) else { return }
        var names: [[CChar]] = []
        while let entry = readdir(folder) {
            names.append(
                withUnsafeBytes(of: &entry.pointee.d_name) { name in
                    name.prefix { $0 != 0 }.map { CChar(bitPattern: $0) }
                })
        }
        closedir(folder)
        let dot = CChar(bitPattern: UInt8(ascii: "."))
        for name in names where name != [dot] && name != [dot, dot] {
            remove(path.dropLast() + [CChar(bitPattern: UInt8(ascii: "/"))] + name + [0])
        }
        rmdir(path)
    }

    private static func names(in path: String) -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { name in
                String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// The names of the files in the folder, sorted.
    package var names: [String] { Self.names(in: path) }

    package func path(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file and returns its path.
    package func file(_ name: String, _ bytes: [UInt8]) throws -> String {
        let fd = open(path(name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        defer { close(fd) }
        guard fd >= 0, write(fd, bytes, bytes.count) == bytes.count else { throw POSIXError(errno) }
        return path(name)
    }

    /// Writes a shell script that can be executed, and returns its path.
    ///
    /// Another process writes it: a process that another test is just starting has all files of this
    /// one open, and a file that is open for writing cannot be executed (`ETXTBSY`).
    package func program(_ name: String, _ script: String) throws -> String {
        let text = try file("\(name).sh", Array("#!/bin/sh\n\(script)\n".utf8))
        let program = self.path(name)
        guard system("install -m 700 '\(text)' '\(program)'") == 0 else { throw POSIXError(EIO) }
        return program
    }

    /// The size of a file in bytes; 0 if it does not exist.
    package func size(_ name: String) throws -> Int {
        var status = stat()
        guard stat(path(name), &status) == 0 else {
            if errno == ENOENT { return 0 }
            throw POSIXError(errno)
        }
        return Int(status.st_size)
    }

    /// The contents of a file.
    package func bytes(_ name: String) throws -> [UInt8] {
        let fd = open(path(name), O_RDONLY | O_CLOEXEC)
        guard fd >= 0 else { throw POSIXError(errno) }
        defer { close(fd) }
        var bytes = [UInt8](repeating: 0, count: try size(name))
        guard read(fd, &bytes, bytes.count) == bytes.count else { throw POSIXError(errno) }
        return bytes
    }
}

package struct POSIXError: Error {
    package let number: CInt

    package init(_ number: CInt) {
        self.number = number
    }
}

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
