// SPDX-License-Identifier: MIT
import Glibc

/// Root's privileges, which a server drops.
enum Privileges {
    /// The reason why privileges cannot be dropped.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The groups with access to serial ports, by distribution.
    private static let serialGroups = ["dialout", "uucp"]

    /// Whether ``drop(to:)`` changes the user.
    static func areDropped(to name: String) -> Bool {
        geteuid() == 0 && name != "root"
    }

    /// Changes to a user permanently if the process is root's; otherwise, and for `root`, does nothing.
    ///
    /// The process has that user's groups and those of serial ports.
    ///
    /// Throws a ``Failure`` if the user does not exist. The corresponding C function is `setuid`.
    static func drop(to name: String) throws(Failure) {
        guard areDropped(to: name) else { return }
        guard let user = getpwnam(name)?.pointee else {
            throw Failure(description: "user not found: '\(name)' (name another by --user)")
        }
        let (id, group) = (user.pw_uid, user.pw_gid)
        let groups =
            groups(of: name, group) + serialGroups.compactMap { getgrnam($0)?.pointee.gr_gid }
        guard setgroups(groups.count, groups) == 0, setgid(group) == 0, setuid(id) == 0 else {
            throw Failure(
                description: "cannot become '\(name)': \(String(cString: strerror(errno)))")
        }
    }

    /// Returns the groups of a user. The corresponding C function is `getgrouplist`.
    private static func groups(of name: String, _ group: gid_t) -> [gid_t] {
        var groups = [gid_t](repeating: 0, count: 1024)
        var count = CInt(groups.count)
        // A user in more groups keeps only those of serial ports.
        guard getgrouplist(name, group, &groups, &count) >= 0 else { return [] }
        return Array(groups.prefix(Int(count)))
    }
}
