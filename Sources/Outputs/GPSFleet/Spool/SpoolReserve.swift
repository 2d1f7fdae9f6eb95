// SPDX-License-Identifier: MIT
import GNSS
import Glibc

/// A file that only occupies disk space. The spool removes it when the disk is full.
///
/// Without it, a full disk would permanently stop the spool: SQLite could neither move the
/// write-ahead log into the database nor record the removal of fixes.
struct SpoolReserve {
    /// The size of the file in bytes. It is larger than the maximum size of SQLite's write-ahead
    /// log.
    private static let size = 6 << 20

    private let spool: [CChar]
    private let path: [CChar]

    /// Creates the reserve for the spool with this path, without allocating it.
    init(of spool: String) {
        self.spool = FileName.native(spool)
        path = FileName.native(spool + "-reserve")
    }

    /// Whether the file exists.
    var exists: Bool { access(path, F_OK) == 0 }

    /// Allocates the reserve if it does not exist and the disk has three times as much free space.
    ///
    /// The corresponding C function is `posix_fallocate`.
    func fill() {
        var status = statvfs()
        // Some network file systems report huge numbers, so they are not multiplied.
        guard !exists, statvfs(spool, &status) == 0, status.f_frsize > 0,
            status.f_bavail > 3 * UInt(Self.size) / status.f_frsize
        else { return }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        if posix_fallocate(descriptor, 0, off_t(Self.size)) != 0 { unlink(path) }
    }

    /// Removes the file, which releases its space.
    func release() { unlink(path) }
}
