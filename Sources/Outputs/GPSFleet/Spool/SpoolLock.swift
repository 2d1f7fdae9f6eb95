// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import Glibc

/// A lock that prevents other gpsbridge processes from using the same spool. Other programs may
/// still read the database.
///
/// It locks a separate file, because closing the database file elsewhere in the process would
/// release SQLite's locks.
final class SpoolLock: Sendable {
    private let descriptor: CInt
    private let path: String
    /// Whether the lock file did not exist before. If so, no spool was opened at this path before.
    let isNew: Bool

    /// Acquires the lock.
    ///
    /// Throws an error if another process holds it, the folder cannot be written, or `path` is not
    /// a regular file. The corresponding C function is `flock`.
    init(_ path: String) throws(FleetError) {
        // Without this check, root could create the lock and SQLite's files beside a device. A path
        // without a file is permitted, because the spool may not exist yet.
        if let kind = try? Node(path).kind(), kind != .regularFile {
            throw FleetError("\(path) is not a regular file: choose another --spool FILE")
        }
        self.path = path + "-lock"
        isNew = access(FileName.native(self.path), F_OK) != 0
        descriptor = open(FileName.native(self.path), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw FleetError(spool: path, String(cString: strerror(errno)))
        }
        // If the initializer throws, `deinit` closes the file.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw FleetError("\(path) is used by another gpsbridge: choose another --spool FILE")
        }
    }

    deinit { close(descriptor) }

    /// Deletes the lock's file.
    func remove() {
        unlink(FileName.native(path))
    }
}
