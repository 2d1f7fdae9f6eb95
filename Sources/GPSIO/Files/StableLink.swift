// SPDX-License-Identifier: MIT
import GNSS
import Glibc

/// A symbolic link that follows a device from one node to the next.
struct StableLink {
    private let path: String

    init(_ path: String) {
        self.path = path
    }

    /// Makes the link, or moves it in one step if it leads to a pseudo terminal, perhaps of a process that was killed.
    /// Throws, with `EEXIST`, for anything else, as for the link that udev has made for a receiver.
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

    /// Removes the link if it still points there.
    func remove(pointingTo target: String) {
        if Node(path).linkTarget == target { unlink(FileName.native(path)) }
    }
}
