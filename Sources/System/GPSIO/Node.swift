// SPDX-License-Identifier: MIT
import CGPSSerial
import GNSS
import Glibc

/// A path, and the properties of the file at that path.
package struct Node {
    /// The kind of file at a path.
    package enum Kind: Equatable {
        case characterDevice, regularFile, pipe, socket, folder, other

        /// Determines the kind of file of an open descriptor; `nil` if the descriptor is closed.
        package init?(of descriptor: CInt) {
            var status = stat()
            guard fstat(descriptor, &status) == 0 else { return nil }
            self.init(mode: status.st_mode)
        }

        fileprivate init(mode: mode_t) {
            switch mode & S_IFMT {
            case S_IFCHR: self = .characterDevice
            case S_IFREG: self = .regularFile
            case S_IFIFO: self = .pipe
            case S_IFSOCK: self = .socket
            case S_IFDIR: self = .folder
            default: self = .other
            }
        }
    }

    /// The identity of a file: equal for all paths of the same file.
    package struct File: Equatable, Sendable {
        private let device: dev_t
        private let number: ino_t

        init(_ status: stat) {
            device = status.st_dev
            number = status.st_ino
        }
    }

    /// The identity of a symbolic link itself, not of its target. A link that replaces another one
    /// has a different identity, even with the same target.
    package struct Link: Equatable, Sendable {
        private let device: dev_t
        private let number: ino_t
        private let (seconds, nanoseconds): (Int, Int)

        fileprivate init(_ status: stat) {
            device = status.st_dev
            number = status.st_ino
            (seconds, nanoseconds) = (status.st_ctim.tv_sec, status.st_ctim.tv_nsec)
        }
    }

    package let path: String

    package init(_ path: String) {
        self.path = path
    }

    /// The absolute path with symbolic links resolved; ``absolutePath`` if the file does not exist.
    package var realPath: String {
        var real = [CChar](repeating: 0, count: Int(PATH_MAX))
        guard cserial_real_path(FileName.native(path), &real, UInt(real.count)) == 0 else {
            return absolutePath
        }
        return FileName.string(terminated: real)
    }

    /// The absolute path, without resolving symbolic links.
    package var absolutePath: String {
        guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
        defer { free(folder) }
        let name = UnsafeRawBufferPointer(start: folder, count: strlen(folder))
        return FileName.string(name) + "/" + path
    }

    /// The identity of the file at the path, following links; `nil` if it cannot be examined.
    package var file: File? { status.map(File.init) }

    /// The status of the file at the path, following links. On failure, `nil` with `errno` set.
    ///
    /// The corresponding C function is `stat`.
    var status: stat? {
        var status = stat()
        return stat(FileName.native(path), &status) == 0 ? status : nil
    }

    /// Whether a folder, or a link to one, is at the path; `false` if it cannot be examined.
    package var isFolder: Bool { (try? kind()) == .folder }  // an error means `false`

    /// The target of the symbolic link at the path, as stored in the link; `nil` if the path is not
    /// a link.
    ///
    /// The corresponding C function is `readlink`.
    package var linkTarget: String? {
        var text = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = text.withUnsafeMutableBytes { bytes in
            bytes.withMemoryRebound(to: CChar.self) { text in
                text.baseAddress.map { readlink(FileName.native(path), $0, text.count) } ?? 0
            }
        }
        return count > 0 ? FileName.string(text.prefix(count)) : nil
    }

    /// The target of the symbolic link at the path. A relative target is appended to the link's
    /// folder. `nil` if the path is not a link. Links in the target are not resolved.
    var linkedPath: String? {
        linkTarget.map { target in
            let end = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
            return target.hasPrefix("/") ? target : String(path[..<end]) + target
        }
    }

    /// Whether the path, with links resolved, is that of a pseudo terminal (`/dev/pts/…`).
    package var isPseudoTerminal: Bool { realPath.hasPrefix("/dev/pts/") }

    /// The symbolic links that lead from the path to its file, in order; empty if the path is not a
    /// link.
    ///
    /// The corresponding C function is `lstat`.
    package var links: [Link] {
        var links: [Link] = []
        var path = absolutePath
        // The kernel follows at most 40 links.
        while links.count < 40, let target = Node(path).linkedPath {
            var status = stat()
            guard lstat(FileName.native(path), &status) == 0 else { break }
            links.append(Link(status))
            path = target
        }
        return links
    }

    /// The kernel driver of the tty at the path, such as `cdc_acm`; `nil` if it has none, like a
    /// pseudo terminal.
    package var driver: String? { targetName(of: "device/driver", sysfs: "/sys") }

    /// Returns whether the path is that of a receiver with a kernel driver, such as `/dev/gnss0`.
    /// Such a device is read like a tty, but has no line settings. `sysfs` is the folder in which
    /// the kernel describes its devices.
    package func isGNSSDevice(sysfs: String = "/sys") -> Bool {
        targetName(of: "subsystem", sysfs: sysfs) == "gnss"
    }

    /// Returns the file name to which a link in the device's folder of sysfs leads; `nil` if there
    /// is none.
    private func targetName(of link: String, sysfs: String) -> String? {
        guard let status else { return nil }
        let (major, minor) = (gnu_dev_major(status.st_rdev), gnu_dev_minor(status.st_rdev))
        let target = Node("\(sysfs)/dev/char/\(major):\(minor)/\(link)").linkTarget
        return target?.split(separator: "/").last.map(String.init)
    }

    /// Whether the path names the controlling terminal of this process: its node, a link to it, or
    /// `/dev/tty`.
    ///
    /// Does not open the tty, because opening it would raise its DTR line.
    package var isOwnTerminal: Bool { cserial_is_own_terminal(FileName.native(path)) }

    /// Returns the kind of file at the path, following links. Throws an ``IOError`` if it cannot be
    /// examined.
    package func kind() throws(IOError) -> Kind {
        guard let status else { throw IOError(.open, path) }
        return Kind(mode: status.st_mode)
    }
}

/// Functions for directories.
package enum Folder {
    /// Returns `true` if a folder exists at the path, or if the path ends with a slash, which is
    /// valid only for a folder.
    package static func exists(_ path: String) -> Bool {
        path.hasSuffix("/") || Node(path).isFolder
    }

    /// Returns why no file can be created at a path, or why the existing file cannot be written: the
    /// `errno`; 0 if nothing prevents it.
    ///
    /// The corresponding C function is `access`.
    package static func writeError(at path: String) -> CInt {
        if access(FileName.native(path), W_OK) == 0 { return 0 }
        if errno != ENOENT { return errno }
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        return access(FileName.native(folder), W_OK | X_OK) == 0 ? 0 : errno
    }

    /// Returns the names of a folder's entries in no particular order, or an empty array if it
    /// cannot be read.
    ///
    /// The corresponding C function is `readdir`.
    package static func names(in path: String) -> [String] {
        guard let directory = opendir(FileName.native(path)) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            names.append(
                withUnsafeBytes(of: &entry.pointee.d_name) { name in
                    FileName.string(name.prefix { $0 != 0 })
                })
        }
        return names
    }
}

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
