// SPDX-License-Identifier: MIT
import GNSS
import Glibc

/// Disk space that a spool releases when the disk is full.
///
/// Without it a full disk would stop the spool for good: SQLite could neither move the write-ahead
/// log into the database nor record the removal of fixes.
struct SpoolReserve {
    /// Larger than the write-ahead log gets.
    private static let size = 6 << 20

    private let spool: [CChar]
    private let path: [CChar]

    /// Creates the reserve of a spool without allocating it.
    init(of spool: String) {
        self.spool = FileName.native(spool)
        path = FileName.native(spool + "-reserve")
    }

    private var isThere: Bool { access(path, F_OK) == 0 }

    /// Allocates the reserve if it does not exist and the disk has three times as much space.
    ///
    /// The corresponding C function is `posix_fallocate`.
    func fill() {
        var status = statvfs()
        guard !isThere, statvfs(spool, &status) == 0,
            status.f_bavail * status.f_frsize > 3 * UInt(Self.size)
        else { return }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        if posix_fallocate(descriptor, 0, off_t(Self.size)) != 0 { unlink(path) }
    }

    /// Releases the space.
    func release() { unlink(path) }
}
