// SPDX-License-Identifier: MIT
import GPSIO
import GPSReceivers
import Dispatch
import Glibc

/// Checks the process's resource limits, and reserves the file descriptors that every command
/// needs.
enum Resources {
    /// The number of file descriptors that every command needs, in addition to its input and
    /// output.
    private static let neededFiles = 16

    /// Reserves the file descriptors that libdispatch needs. Returns an error message if a resource
    /// limit of the process is too low.
    static func prepare() -> String? {
        // Without memory for threads, libdispatch would retry forever, and no signal would end it.
        guard DetachedThread.start("gps-test", {}) == 0 else {
            return "cannot start a thread: raise the limit of memory or of processes "
                + "(ulimit -v, ulimit -u)"
        }
        guard canOpen(neededFiles) else {
            return "the limit of open files is too low: this program needs \(neededFiles), so "
                + "raise it (ulimit -n, or LimitNOFILE= of a service)"
        }
        // libdispatch opens three file descriptors for its first timer, and crashes with SIGILL if
        // it cannot. Its own threads also use timers, so a timer is started before receivers can
        // use up all file descriptors.
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(1)) {}
        return nil
    }

    /// Returns whether `count` more file descriptors can be opened now.
    ///
    /// The corresponding C function is `fcntl`.
    private static func canOpen(_ count: Int) -> Bool {
        let files = (0..<count).map { _ in fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3) }
        defer { for file in files where file >= 0 { close(file) } }
        return files.allSatisfy { $0 >= 0 }
    }
}
