// SPDX-License-Identifier: MIT
import Glibc

/// The open ttys and inotify queues, but not the pipes of a sanitizer's symbolizer.
package func openDescriptorCount() -> Int {
    (0..<1024).count { (fd: CInt) in
        var status = stat()
        guard fstat(fd, &status) == 0 else { return false }
        return status.st_mode & S_IFMT != S_IFIFO && status.st_mode & S_IFMT != S_IFSOCK
    }
}
