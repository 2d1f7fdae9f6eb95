// SPDX-License-Identifier: MIT
import CGPSSerial
import GNSS
import Glibc

/// Uses inotify to watch a path: its last component, and every symbolic link between the path and
/// its file.
package struct PathWatches {
    private struct Name: Hashable {
        let folder: String
        let name: String
    }

    private static let mask =
        IN_CREATE | IN_MOVED_TO | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR

    private var names: Set<Name> = []
    private var folders: [CInt: String] = [:]
    /// Whether all required folders are watched. It is `false` if, for example, the user has
    /// reached the limit of inotify watches (`ENOSPC`).
    package private(set) var isComplete = true

    package init() {}

    /// Watches the last component of `path`, an absolute path, and all symbolic links through which
    /// `path` leads to its file. Removes the watches that are no longer needed. Returns `true` if
    /// the set of watched folders has changed.
    package mutating func follow(_ path: String, inotify: CInt) -> Bool {
        let before = folders
        names = []
        follow(path, depth: 0)
        var watched: [CInt: String] = [:]
        isComplete = true
        for folder in Set(names.map(\.folder)) {
            let watch = inotify_add_watch(inotify, FileName.native(folder), UInt32(Self.mask))
            if watch >= 0 { watched[watch] = folder } else { isComplete = false }
        }
        for watch in before.keys where watched[watch] == nil {
            inotify_rm_watch(inotify, watch)
        }
        folders = watched
        return folders != before
    }

    /// Returns whether any of the events affects a watched name. `events` are the bytes read from
    /// inotify.
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
                let name = FileName.string(text.prefix { $0 != 0 })
                // An event without a name affects the folder itself.
                if name.isEmpty || names.contains(Name(folder: folder, name: name)) { return true }
            }
            return false
        }
    }

    private mutating func follow(_ path: String, depth: Int) {
        // The kernel also stops after 40 links.
        guard depth < 40, let slash = path.lastIndex(of: "/") else { return }
        let folder = slash == path.startIndex ? "/" : String(path[..<slash])
        let name = String(path[path.index(after: slash)...])
        guard Node(folder).isFolder else {
            // The nearest existing folder reports the creation of the next one.
            if folder != "/" { follow(folder, depth: depth + 1) }
            return
        }
        // inotify has one watch per folder, regardless of the path, so each folder needs a unique
        // path.
        names.insert(Name(folder: Node(folder).realPath, name: name))
        if let target = Node(path).linkedPath { follow(target, depth: depth + 1) }
    }
}
