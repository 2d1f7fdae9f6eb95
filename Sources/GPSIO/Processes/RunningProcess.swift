// SPDX-License-Identifier: MIT
import Glibc

/// A process on this machine, as far as `/proc` is readable.
package struct RunningProcess: Sendable {
    /// The process id.
    package let id: Int

    /// Every visible process.
    package static var all: [RunningProcess] {
        Folder.names(in: "/proc").compactMap { Int($0).map(RunningProcess.init) }
    }

    /// The program's name, truncated by the kernel to 15 characters; `nil` once the process has
    /// ended.
    package var name: String? {
        let line = read("comm")
        return line.isEmpty ? nil : String(decoding: line.prefix { $0 > 0x1f }, as: UTF8.self)
    }

    /// Whether it is a child of this process before `exec`: until then it has all files of this
    /// process open.
    package var isBeingStarted: Bool {
        guard parent == Int(getpid()), let program = Node("/proc/\(id)/exe").linkTarget else {
            return false
        }
        return program == Node("/proc/self/exe").linkTarget
    }

    private var parent: Int? {
        // Process id, name, state, parent; the name may contain spaces and parentheses.
        let line = read("stat")
        guard let end = line.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let fields = line[end...].split(separator: UInt8(ascii: " "), maxSplits: 3)
        return fields.count > 2 ? Int(String(decoding: fields[2], as: UTF8.self)) : nil
    }

    /// Returns the beginning of a file in its `/proc` folder; empty once the process has ended.
    private func read(_ name: String) -> ArraySlice<UInt8> {
        guard let file = fopen("/proc/\(id)/\(name)", "re") else { return [] }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = fread(&bytes, 1, bytes.count, file)
        return bytes.prefix(count)
    }

    /// Returns whether it has a file open, given by its path without links.
    package func hasOpen(_ path: String, _ file: Node.File) -> Bool {
        let folder = "/proc/\(id)/fd"
        return Folder.names(in: folder).map { Node("\(folder)/\($0)") }.contains { node in
            // Compare the link's text first, since looking up a file could wait for a network. Then
            // compare the file, since a container may have another one with that name.
            node.linkTarget == path && node.file == file
        }
    }
}
