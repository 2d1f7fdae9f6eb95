// SPDX-License-Identifier: MIT
import Glibc

/// How many files this process may have open, and how many of these clients may take.
enum DescriptorLimit {
    /// Kept free for what is opened for a moment, such as ttys that are tried and files of the system.
    private static let spare = 16
    /// Kept free for each receiver and each HTTP socket.
    private static let perUser = 4

    /// Raises the limit as far as the system allows.
    ///
    /// The corresponding C function is `setrlimit`.
    static func raise() {
        guard var limit = current else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    /// How many files may be open; `nil` where the system does not say.
    static var count: Int? { current.map { Int(clamping: $0.rlim_cur) } }

    /// How many clients each kind of client may have, `wanted` at most: what is open now stays, and receivers have what
    /// they need.
    static func clients(_ wanted: Int, kinds: Int, receivers: Int) -> Int {
        guard let count else { return wanted }
        let kept = openCount + spare + perUser * (receivers + kinds)
        return max(1, min(wanted, (count - kept) / max(1, kinds)))
    }

    private static var current: rlimit? {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            return nil
        }
        return limit
    }

    /// How many files are open.
    private static var openCount: Int {
        guard let folder = opendir("/proc/self/fd") else { return spare }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        // Besides its own there are the entries of the folder and of the one above it.
        return max(0, count - 3)
    }
}
