// SPDX-License-Identifier: MIT
import Glibc

/// The process's limit on the number of open file descriptors.
enum OpenFileLimit {
    /// The number of descriptors up to which the kernel's table of the process is not enlarged in
    /// advance, because few enlargements are then needed later.
    private static let freeCount = 256

    /// Raises the limit to allow `count` files, as far as the system permits, and enlarges the
    /// kernel's table immediately. Later, with several threads, each enlargement would take some
    /// milliseconds.
    ///
    /// The corresponding C function is `setrlimit`.
    static func raise(for count: Int) {
        var limit = rlimit()
        let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(kind, &limit) == 0 else { return }
        // 64 more are for files other than receivers.
        let wanted = rlim_t(count + 64)
        if wanted > limit.rlim_cur {
            limit.rlim_cur = min(wanted, limit.rlim_max)
            setrlimit(kind, &limit)
        }
        guard wanted > Self.freeCount else { return }
        let highest = fcntl(
            STDIN_FILENO, F_DUPFD_CLOEXEC, CInt(clamping: min(wanted, limit.rlim_cur) - 1))
        if highest >= 0 { close(highest) }
    }
}
