// SPDX-License-Identifier: MIT
import GNSS
import Glibc

/// A symbolic link to a pseudo terminal. It keeps its path when a reconnected simulated device gets
/// a new node.
struct StableLink {
    private let path: String

    init(_ path: String) {
        self.path = path
    }

    /// Creates the link, or atomically replaces an existing link to a pseudo terminal, such as that
    /// of a killed process. Throws `EEXIST` if another file exists at the path, such as a link that
    /// udev created for a receiver.
    func point(to target: String) throws(IOError) {
        guard isFree else { throw IOError(.link, path, errno: EEXIST) }
        let draft = "\(path).\(getpid())"
        unlink(FileName.native(draft))
        guard symlink(target, FileName.native(draft)) == 0 else { throw IOError(.link, path) }
        guard rename(FileName.native(draft), FileName.native(path)) == 0 else {
            let error = errno
            unlink(FileName.native(draft))
            throw IOError(.link, path, errno: error)
        }
    }

    /// Whether the path is unused, or is a link to a pseudo terminal. A link that another process
    /// removes during this check counts as unused.
    private var isFree: Bool {
        if let target = Node(path).linkTarget { return target.hasPrefix("/dev/pts/") }
        var status = stat()
        return lstat(FileName.native(path), &status) != 0 || status.st_mode & S_IFMT == S_IFLNK
    }

    /// Removes the link if it still points to `target`.
    func remove(pointingTo target: String) {
        if Node(path).linkTarget == target { unlink(FileName.native(path)) }
    }
}
