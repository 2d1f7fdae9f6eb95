// SPDX-License-Identifier: MIT
import Glibc

/// The limit of open files of the process.
enum OpenFileLimit {
    /// A number of files that costs the kernel little.
    private static let usual = 256

    /// Raises the limit where many files are to be opened, as far as the system lets it, and makes room for them at
    /// once: where there are threads, the kernel waits some milliseconds each time it makes more.
    ///
    /// The corresponding C function is `setrlimit`.
    static func raise(for count: Int) {
        var limit = rlimit()
        let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(kind, &limit) == 0 else { return }
        // And some for everything else.
        let wanted = rlim_t(count + 64)
        if wanted > limit.rlim_cur {
            limit.rlim_cur = min(wanted, limit.rlim_max)
            setrlimit(kind, &limit)
        }
        guard wanted > Self.usual else { return }
        let highest = fcntl(
            STDIN_FILENO, F_DUPFD_CLOEXEC, CInt(clamping: min(wanted, limit.rlim_cur) - 1))
        if highest >= 0 { close(highest) }
    }
}
