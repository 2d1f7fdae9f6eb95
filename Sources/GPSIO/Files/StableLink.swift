// SPDX-License-Identifier: MIT
import GNSS
import Glibc

/// A symbolic link that is moved from one node of a device to the next.
struct StableLink {
    private let path: String

    init(_ path: String) {
        self.path = path
    }

    /// Creates the link, or atomically replaces one that leads to a pseudo terminal, such as that
    /// of a killed process. Throws `EEXIST` for anything else, such as the link that udev made for
    /// a receiver.
    func point(to target: String) throws(IOError) {
        var status = stat()
        if lstat(FileName.native(path), &status) == 0,
            Node(path).linkTarget?.hasPrefix("/dev/pts/") != true
        {
            throw IOError(.link, path, errno: EEXIST)
        }
        let draft = "\(path).\(getpid())"
        unlink(FileName.native(draft))
        guard symlink(target, FileName.native(draft)) == 0 else { throw IOError(.link, path) }
        guard rename(FileName.native(draft), FileName.native(path)) == 0 else {
            let error = errno
            unlink(FileName.native(draft))
            throw IOError(.link, path, errno: error)
        }
    }

    /// Removes the link if it still leads to `target`.
    func remove(pointingTo target: String) {
        if Node(path).linkTarget == target { unlink(FileName.native(path)) }
    }
}
