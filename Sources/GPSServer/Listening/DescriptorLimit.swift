// SPDX-License-Identifier: MIT
import Glibc

/// The limit of open files, and the part of it for clients.
enum DescriptorLimit {
    /// Reserved for files that are opened briefly, such as ttys that are tried and files of the system.
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

    /// The limit of open files; `nil` if the system does not report it.
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

    /// The number of open files.
    private static var openCount: Int {
        guard let folder = opendir("/proc/self/fd") else { return spare }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        // Without the entries `.` and `..`, and the descriptor of the folder itself.
        return max(0, count - 3)
    }
}
