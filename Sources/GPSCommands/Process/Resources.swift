// SPDX-License-Identifier: MIT
import GPSIO
import GPSReceivers
import Dispatch
import Glibc

/// The files and threads that every command needs.
enum Resources {
    /// The number of files that every command needs, in addition to its input and output.
    private static let neededFiles = 16

    /// Opens the files that libdispatch needs. Returns an error message if a limit of the process
    /// is too low.
    static func prepare() -> String? {
        // libdispatch would retry forever, and no signal would end it.
        guard DetachedThread.start("gps-test", {}) == 0 else {
            return "no thread can be started: raise the limit of memory or of processes "
                + "(ulimit -v, ulimit -u)"
        }
        guard canOpen(neededFiles) else {
            return "too few files may be open: this program needs \(neededFiles), so raise the "
                + "limit (ulimit -n, or LimitNOFILE= of a service)"
        }
        // libdispatch opens three files for its first timer, and ends the process with SIGILL if it
        // cannot. Its own threads use timers, too, so open them before receivers can use up all
        // files.
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(1)) {}
        return nil
    }

    /// Returns whether that many files can be opened now.
    ///
    /// The corresponding C function is `fcntl`.
    private static func canOpen(_ count: Int) -> Bool {
        let files = (0..<count).map { _ in fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3) }
        defer { for file in files where file >= 0 { close(file) } }
        return files.allSatisfy { $0 >= 0 }
    }
}
