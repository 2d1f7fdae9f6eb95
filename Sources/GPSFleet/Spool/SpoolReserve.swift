// SPDX-License-Identifier: MIT
import GNSS
import Glibc

/// Space on the disk that a spool gives up where the disk is full.
///
/// Without it a full disk would stop the spool for good: SQLite's write-ahead log could neither be moved into the
/// database nor take the removal of fixes.
struct SpoolReserve {
    /// More than the write-ahead log grows to.
    private static let size = 6 << 20

    private let spool: [CChar]
    private let path: [CChar]

    /// Names the reserve of a spool.
    init(of spool: String) {
        self.spool = FileName.native(spool)
        path = FileName.native(spool + "-reserve")
    }

    private var isThere: Bool { access(path, F_OK) == 0 }

    /// Allocates it where it is not there and the disk has room for three times as much.
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

    /// Gives its space to others.
    func release() { unlink(path) }
}
