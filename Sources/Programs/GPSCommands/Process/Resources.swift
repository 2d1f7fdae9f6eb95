// SPDX-License-Identifier: MIT
import GPSIO
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
            return "cannot start a thread: raise the limit on memory or on the number of "
                + "processes (ulimit -v, ulimit -u)"
        }
        let missing = missingFiles()
        guard missing == 0 else { return fileLimitMessage(missing: missing) }
        // libdispatch opens three file descriptors for its first timer, and crashes with SIGILL if
        // it cannot. Its own threads also use timers, so a timer is started before receivers can
        // use up all file descriptors.
        // The queue is serial for the reason that `BackgroundExecutor` describes.
        DispatchQueue(label: "gpsbridge.first-timer").asyncAfter(
            deadline: .now() + .milliseconds(1)
        ) {}
        return nil
    }

    /// Returns the number of needed file descriptors that cannot be opened now.
    ///
    /// The corresponding C function is `fcntl` with `F_DUPFD_CLOEXEC`.
    private static func missingFiles() -> Int {
        let files = (0..<neededFiles).map { _ in fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3) }
        defer { for file in files where file >= 0 { close(file) } }
        return files.count { $0 < 0 }
    }

    /// Returns the error message for a limit of open files that is too low by `missing`.
    ///
    /// The corresponding C function is `getrlimit`.
    private static func fileLimitMessage(missing: Int) -> String {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        let needed = limit.rlim_cur &+ rlim_t(missing)
        let numbers = "limit of open files is \(limit.rlim_cur), and this program needs \(needed)"
        // A shell can raise the limit only up to its hard limit.
        guard limit.rlim_max < needed else {
            let enough = min(max(needed, 1024), limit.rlim_max)
            return "the \(numbers): raise the limit (ulimit -n \(enough), or LimitNOFILE= of a "
                + "service)"
        }
        return "the hard \(numbers): start it in a shell with a higher hard limit (see "
            + "`ulimit -Hn`), or set LimitNOFILE= of its service"
    }
}
