// SPDX-License-Identifier: MIT
import GNSS
import GPSReceivers
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

/// Starts `gpsbridge-fleet`. It is a separate program, so that users without a fleet don't need its
/// libraries.
enum FleetExecutable {
    /// The commands of `gpsbridge-fleet` that `gpsbridge` also offers, for `--help`.
    static let commands: [(name: String, summary: String)] = [
        ("publish", "Send fixes to NATS, MQTT or HTTP without losing any while offline."),
        ("collect", "Write the fixes of a fleet to a database."),
        ("fleet", "List the members of a fleet."),
    ]

    static var names: [String] { commands.map(\.name) }

    /// Returns whether the arguments are a command of `gpsbridge-fleet`, which includes `simulate
    /// --fleet`.
    static func isFleetCommand(_ arguments: [String]) -> Bool {
        names.contains(arguments[0])
            || arguments[0] == "simulate"
                && arguments.contains { $0 == "--fleet" || $0.hasPrefix("--fleet=") }
    }

    /// Replaces this process with `gpsbridge-fleet`, which is next to this program or in `PATH`.
    ///
    /// - Throws: `CommandFailure` if it is not found. The corresponding C function is `execv`.
    static func run(_ commandLine: [String]) throws -> Never {
        var arguments: [UnsafeMutablePointer<CChar>?] =
            (["gpsbridge-fleet"] + commandLine).map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        if let path = FleetSource.installedProgram { execv(FileName.native(path), &arguments) }
        let command = commandLine[0] == "simulate" ? "simulate --fleet" : commandLine[0]
        throw CommandFailure(
            "`gpsbridge \(command)` needs the program gpsbridge-fleet, which is not installed: "
                + "in gpsbridge's sources, run `scripts/setup fleet`, `make build` and `make install`"
        )
    }
}

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
