// SPDX-License-Identifier: MIT
import Glibc

/// A symbolic link that follows a device from one node to the next.
struct StableLink {
    private let path: String

    init(_ path: String) {
        self.path = path
    }

    /// Makes the link, or moves it in one step if it is there. Throws `.nameTaken` for anything else.
    func point(to target: String) throws(DeviceError) {
        var status = stat()
        if lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFLNK {
            throw DeviceError(.nameTaken, device: path, errno: EEXIST)
        }
        let draft = "\(path).\(getpid())"
        unlink(draft)
        guard symlink(target, draft) == 0 else { throw Node(path).error(errno) }
        guard rename(draft, path) == 0 else {
            let error = errno
            unlink(draft)
            throw Node(path).error(error)
        }
    }

    /// Removes the link if it still points there.
    func remove(pointingTo target: String) {
        if Node(path).linkTarget == target { unlink(path) }
    }
}
