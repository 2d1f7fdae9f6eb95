// SPDX-License-Identifier: MIT
import CGPSSerial
import Glibc

/// The names that a path depends on, and the inotify watches for them.
package struct PathWatches {
    private struct Name: Hashable {
        let folder: String
        let name: String
    }

    private static let mask =
        IN_CREATE | IN_MOVED_TO | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR

    private var names: Set<Name> = []
    private var folders: [CInt: String] = [:]
    /// Whether each folder is watched: a user may have no watches left (ENOSPC).
    package private(set) var isComplete = true

    package init() {}

    /// Watches the names that `path` depends on now; true if other folders are watched than before.
    package mutating func follow(_ path: String, inotify: CInt) -> Bool {
        let before = folders
        names = []
        follow(path, depth: 0)
        var watched: [CInt: String] = [:]
        isComplete = true
        for folder in Set(names.map(\.folder)) {
            let watch = inotify_add_watch(inotify, folder, UInt32(Self.mask))
            if watch >= 0 { watched[watch] = folder } else { isComplete = false }
        }
        for watch in before.keys where watched[watch] == nil {
            inotify_rm_watch(inotify, watch)
        }
        folders = watched
        return folders != before
    }

    /// Whether one of the events is about a name the path depends on.
    package func isConcerned(by events: [UInt8]) -> Bool {
        let headerSize = MemoryLayout<inotify_event>.size
        return events.withUnsafeBytes { bytes in
            var offset = 0
            while offset + headerSize <= bytes.count {
                let event = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                let text = bytes[(offset + headerSize)...].prefix(Int(event.len))
                offset += headerSize + Int(event.len)
                if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { return true }
                guard let folder = folders[event.wd] else { continue }
                let name = String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
                // An event without a name is about the folder itself.
                if name.isEmpty || names.contains(Name(folder: folder, name: name)) { return true }
            }
            return false
        }
    }

    private mutating func follow(_ path: String, depth: Int) {
        // The kernel gives up after 40 links, too.
        guard depth < 40, let slash = path.lastIndex(of: "/") else { return }
        let folder = slash == path.startIndex ? "/" : String(path[..<slash])
        let name = String(path[path.index(after: slash)...])
        guard Node(folder).isFolder else {
            // The nearest existing folder reports when the next one is created.
            if folder != "/" { follow(folder, depth: depth + 1) }
            return
        }
        // One name for a folder, as it has one watch however it is reached.
        names.insert(Name(folder: Node(folder).realPath, name: name))
        if let target = Node(path).linkTarget {
            follow(target.hasPrefix("/") ? target : folder + "/" + target, depth: depth + 1)
        }
    }
}
