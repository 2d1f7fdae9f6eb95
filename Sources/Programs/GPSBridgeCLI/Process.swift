// SPDX-License-Identifier: MIT
import Glibc

/// Drops a server's root privileges.
enum Privileges {
    /// The groups that can access serial ports in different distributions.
    private static let serialGroups = ["dialout", "uucp"]

    /// Returns whether ``drop(to:giving:)`` changes the user.
    static func areDropped(to name: String) -> Bool {
        geteuid() == 0 && name != "root"
    }

    /// Throws a `CommandFailure` if a server that is started as root could not change to a user.
    static func check(_ name: String) throws(CommandFailure) {
        guard name != "root", getpwnam(name) == nil else { return }
        throw CommandFailure("the user '\(name)' does not exist: give another name with --user")
    }

    /// Permanently changes to another user if the process runs as root. Has no effect for other
    /// users, and if `name` is `root`.
    ///
    /// The process keeps only that user's groups and the groups of serial ports. `folder` is
    /// created, and its owner becomes the user.
    ///
    /// - Throws: `CommandFailure` if the user does not exist or the change fails. The corresponding C
    ///   function is `setuid`.
    static func drop(to name: String, giving folder: String? = nil) throws(CommandFailure) {
        guard areDropped(to: name) else { return }
        try check(name)
        guard let user = getpwnam(name)?.pointee else { return }
        let (id, group) = (user.pw_uid, user.pw_gid)
        if let folder {
            // If this fails, a later change of a receiver reports that the folder cannot be
            // written.
            mkdir(folder, 0o700)
            lchown(folder, id, group)
        }
        let groups =
            groups(of: name, group) + serialGroups.compactMap { getgrnam($0)?.pointee.gr_gid }
        guard setgroups(groups.count, groups) == 0, setgid(group) == 0, setuid(id) == 0 else {
            throw CommandFailure(
                "cannot run as the user '\(name)': \(String(cString: strerror(errno)))")
        }
    }

    /// Returns the groups of a user. The corresponding C function is `getgrouplist`.
    private static func groups(of name: String, _ group: gid_t) -> [gid_t] {
        var groups = [gid_t](repeating: 0, count: 1024)
        var count = CInt(groups.count)
        // If there are too many groups, only those of serial ports are kept.
        guard getgrouplist(name, group, &groups, &count) >= 0 else { return [] }
        return Array(groups.prefix(Int(count)))
    }
}
