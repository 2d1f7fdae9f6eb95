// SPDX-License-Identifier: MIT
import Glibc

/// The number of files this process may have open, and how many of them clients may use.
enum DescriptorLimit {
    /// The number kept free for short use, such as ttys being tried and system files.
    private static let spare = 16
    /// The number kept free for each receiver and each HTTP socket.
    private static let perUser = 4

    /// Raises the limit as far as the system allows.
    ///
    /// The corresponding C function is `setrlimit`.
    static func raise() {
        guard var limit = current else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    /// The number of files that may be open; `nil` if it cannot be read.
    static var count: Int? { current.map { Int(clamping: $0.rlim_cur) } }

    /// Returns the number of clients allowed for each kind of client, at most `wanted`: leaves room
    /// for the files already open and for the receivers.
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
        // The list also has `.`, `..` and the descriptor of the folder itself.
        return max(0, count - 3)
    }
}
