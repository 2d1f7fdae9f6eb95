// SPDX-License-Identifier: MIT
import GNSS
import Glibc

/// Keeps other processes from using a spool; they may still look into it.
///
/// It is a lock on a file of its own: closing the database's file elsewhere would take away SQLite's locks.
final class SpoolLock: Sendable {
    private let descriptor: CInt

    /// Takes the lock.
    ///
    /// Throws where another process has it, or the folder cannot be written. The corresponding C function is
    /// `flock`.
    init(_ path: String) throws(FleetError) {
        descriptor = open(FileName.native(path + "-lock"), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw FleetError("the spool \(path): \(String(cString: strerror(errno)))")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw FleetError("\(path) is used by another gpsbridge: choose another --spool FILE")
        }
    }

    deinit { close(descriptor) }
}
