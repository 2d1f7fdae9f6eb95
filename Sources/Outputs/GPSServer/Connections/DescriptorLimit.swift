// SPDX-License-Identifier: MIT
import GPSIO
import Glibc

/// The limit of open file descriptors, and the number of clients that it permits.
enum DescriptorLimit {
    /// The number of descriptors reserved for brief use, such as probing ttys and reading system
    /// files.
    private static let spare = 16
    /// The number of descriptors without which no receiver can be opened.
    private static let minimumSpare = 4
    /// The number of descriptors reserved for each receiver, and for each kind of client.
    private static let perUser = 4

    /// Raises the soft limit to the hard limit.
    ///
    /// The corresponding C function is `setrlimit`.
    static func raise() {
        guard var limit = current else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    /// The maximum number of open descriptors; `nil` if it cannot be determined.
    static var count: Int? { current.map { Int(clamping: $0.rlim_cur) } }

    /// Returns the maximum number of clients of each kind: at least 1, at most `wanted`. `kinds` is
    /// the number of kinds. Reserves descriptors for the receivers, and for `open` files that are
    /// neither clients nor receivers.
    static func clients(_ wanted: Int, kinds: Int, receivers: Int, open: Int) -> Int {
        guard let count else { return wanted }
        let kept = open + spare + perUser * (receivers + kinds)
        return max(1, min(wanted, (count - kept) / max(1, kinds)))
    }

    /// Throws a ``ServerError`` if the limit leaves too few descriptors for a client of each kind and
    /// for opening the receivers.
    static func check(kinds: Int, receivers: Int, open: Int) throws(ServerError) {
        let needed = open + perUser * kinds + receivers + minimumSpare
        guard let count, count < needed else { return }
        throw ServerError(.serve(files: count, needed: needed), errno: EMFILE)
    }

    private static var current: rlimit? {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            return nil
        }
        return limit
    }

    /// The number of open descriptors of this process.
    static var openCount: Int {
        let count = Folder.names(in: "/proc/self/fd").count
        // The list also contains `.`, `..` and the descriptor of the folder itself.
        return count > 0 ? max(0, count - 3) : spare
    }
}
