// SPDX-License-Identifier: MIT
import Glibc

/// Root's privileges, which a server gives up.
enum Privileges {
    /// Why privileges cannot be given up.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The groups that may open serial lines, by distribution.
    private static let serialGroups = ["dialout", "uucp"]

    /// Becomes a user for good where the process is root's; else, and for `root`, does nothing.
    ///
    /// Throws a ``Failure`` where there is no such user. The corresponding C function is `setuid`.
    static func drop(to name: String) throws(Failure) {
        guard geteuid() == 0, name != "root" else { return }
        guard let user = getpwnam(name)?.pointee else {
            throw Failure(description: "there is no user '\(name)' to become: use --user")
        }
        let groups = serialGroups.compactMap { getgrnam($0)?.pointee.gr_gid }
        guard setgroups(groups.count, groups) == 0, setgid(user.pw_gid) == 0,
            setuid(user.pw_uid) == 0
        else {
            throw Failure(
                description: "cannot become '\(name)': \(String(cString: strerror(errno)))")
        }
    }
}
