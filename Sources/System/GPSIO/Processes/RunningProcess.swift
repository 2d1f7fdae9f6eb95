// SPDX-License-Identifier: MIT
import Glibc

/// A process on this machine, with properties read from `/proc`.
package struct RunningProcess: Sendable {
    /// The process id.
    package let id: Int

    /// All processes listed in `/proc`; empty if it cannot be read.
    package static var all: [RunningProcess] {
        Folder.names(in: "/proc").compactMap { Int($0).map(RunningProcess.init) }
    }

    /// The program's name, truncated by the kernel to 15 characters; `nil` if the process has
    /// ended.
    package var name: String? {
        let line = read("comm")
        return line.isEmpty ? nil : String(decoding: line.prefix { $0 > 0x1f }, as: UTF8.self)
    }

    /// `gpsd` or `gpsbridge serve` if the process runs that server; otherwise `nil`.
    package var server: String? {
        switch name {
        case "gpsd": return "gpsd"
        case "gpsbridge":
            let words = read("cmdline").split(separator: 0).prefix(2)
            return words.last.map { String(decoding: $0, as: UTF8.self) } == "serve"
                ? "gpsbridge serve" : nil
        default: return nil
        }
    }

    /// The port that the command line of a server gives for gpsd's clients; `nil` if it gives none.
    package var port: UInt16? {
        let words = read("cmdline", limit: 4096).split(separator: 0).map {
            String(decoding: $0, as: UTF8.self)
        }
        let option = name == "gpsd" ? "-S" : "--listen"
        guard let index = words.lastIndex(where: { $0.hasPrefix(option) }) else { return nil }
        var address = words[index].dropFirst(option.count)
        if address.hasPrefix("=") { address = address.dropFirst() }
        if address.isEmpty, words.indices.contains(index + 1) { address = words[index + 1][...] }
        let port = address.split(separator: ":", omittingEmptySubsequences: false).last
        return port.flatMap { UInt16($0) }.flatMap { $0 > 0 ? $0 : nil }
    }

    /// Whether the process is a child of this process that has not called `exec`. Until then, it
    /// has all files of this process open.
    package var isBeingStarted: Bool {
        guard parent == Int(getpid()), let program = Node("/proc/\(id)/exe").linkTarget else {
            return false
        }
        return program == Node("/proc/self/exe").linkTarget
    }

    private var parent: Int? {
        // The fields are process id, name, state and parent. The name may contain spaces and
        // parentheses.
        let line = read("stat")
        guard let end = line.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let fields = line[end...].split(separator: UInt8(ascii: " "), maxSplits: 3)
        return fields.count > 2 ? Int(String(decoding: fields[2], as: UTF8.self)) : nil
    }

    /// Returns the first bytes of a file in the process's `/proc` folder; empty if it cannot be read.
    private func read(_ name: String, limit: Int = 256) -> ArraySlice<UInt8> {
        guard let file = fopen("/proc/\(id)/\(name)", "re") else { return [] }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: limit)
        let count = fread(&bytes, 1, bytes.count, file)
        return bytes.prefix(count)
    }

    /// Returns whether the process has a file open. `path` is its absolute path without symbolic
    /// links, and `file` its identity.
    package func hasOpen(_ path: String, _ file: Node.File) -> Bool {
        let folder = "/proc/\(id)/fd"
        return Folder.names(in: folder).map { Node("\(folder)/\($0)") }.contains { node in
            // Compare the link's text first, because examining a file on a network could block.
            // Then compare the identity, because a process in a container may have a different file
            // with the same path.
            node.linkTarget == path && node.file == file
        }
    }
}
