// SPDX-License-Identifier: MIT
import Glibc

/// How many files the process may have open.
enum OpenFileLimit {
    /// Raises the limit where many files are to be opened, as far as the system lets it.
    ///
    /// The corresponding C function is `setrlimit`.
    static func raise(for count: Int) {
        var limit = rlimit()
        let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(kind, &limit) == 0 else { return }
        // And some for everything else.
        let wanted = rlim_t(count + 64)
        guard wanted > limit.rlim_cur else { return }
        limit.rlim_cur = min(wanted, limit.rlim_max)
        setrlimit(kind, &limit)
    }
}
