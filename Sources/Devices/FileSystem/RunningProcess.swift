// SPDX-License-Identifier: MIT
import Glibc

/// A process of this machine, as far as `/proc` shows it.
package struct RunningProcess: Sendable {
    /// The process id.
    package let id: Int

    /// Every process that can be seen.
    package static var all: [RunningProcess] {
        Folder.names(in: "/proc").compactMap { Int($0).map(RunningProcess.init) }
    }

    /// The program's name, of which the kernel keeps 15 characters; `nil` once the process has ended.
    package var name: String? {
        guard let file = fopen("/proc/\(id)/comm", "re") else { return nil }
        defer { fclose(file) }
        var line = [UInt8](repeating: 0, count: 64)
        let count = fread(&line, 1, line.count, file)
        return count > 0
            ? String(decoding: line.prefix(count).prefix { $0 > 0x1f }, as: UTF8.self) : nil
    }

    /// Whether it has a file open, named by its path without links.
    func hasOpen(_ path: String, _ file: Node.File) -> Bool {
        let folder = "/proc/\(id)/fd"
        return Folder.names(in: folder).map { Node("\(folder)/\($0)") }.contains { node in
            // The link's text first: asking for any file could wait for a network. Then the file, as
            // a container may have another one of that name.
            node.linkTarget == path && node.file == file
        }
    }
}
