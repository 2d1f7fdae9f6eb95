// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
package import Glibc

/// Determines why the user may not open a device node, and which process has it open.
package struct NodeAccess {
    private let path: String

    init(_ path: String) {
        self.path = path
    }

    /// The probable reason why the user may not read the node; `nil` if it is not known.
    var denial: DeviceError.Detail? {
        var status = stat()
        guard stat(FileName.native(path), &status) == 0 else { return nil }
        // The kernel checks only the owner's permissions for the owner.
        let isDeniedToOwner = status.st_uid == geteuid() && status.st_mode & S_IRUSR == 0
        return isDeniedToOwner ? .ownerDenied : missingGroup(of: status)
    }

    /// The group that the kernel shows in place of a group that does not exist in the user
    /// namespace, as in a container or in a service with `PrivateUsers=`.
    package static let foreignGroup: gid_t = 65_534

    /// Returns the group whose members may read the node, and the probable reason why the user may
    /// not. Returns `nil` if no group may read the node. A group without a name is given by its
    /// number.
    private func missingGroup(of status: stat) -> DeviceError.Detail? {
        let id = status.st_gid
        let entry = group(id)
        // A login program gives its line to this group, whose members may only write to it.
        if entry?.name == "tty", !Node(path).isPseudoTerminal { return .group("tty") }
        guard status.st_mode & S_IRGRP != 0, id != 0 else { return nil }
        guard let known = entry, id != Self.foreignGroup else { return .group("\(id)") }
        guard !isActive(id) else { return .forbidden(group: known.name) }
        let isMember = known.members.contains(userName ?? "")
        return isMember ? .groupAfterLogin(known.name) : .group(known.name)
    }

    /// Returns whether this process has the rights of a group. It does not have them if the user
    /// joined the group after logging in.
    private func isActive(_ group: gid_t) -> Bool {
        var groups = [gid_t](repeating: 0, count: Int(max(0, getgroups(0, nil))))
        let count = getgroups(CInt(groups.count), &groups)
        return getegid() == group || groups.prefix(Int(max(0, count))).contains(group)
    }

    /// The first process that has the node open; otherwise a running server that probably has it
    /// open, because only root can see the open files of other users' programs. `nil` if there is
    /// neither.
    var probableHolder: DeviceError.Detail? {
        if let holder = holder() { return holder }
        guard path.hasPrefix("/dev/"), !Node(path).isPseudoTerminal else { return nil }
        // A lazy `compactMap` would read /proc twice, and the process may end between.
        for process in RunningProcess.all {
            if let server = process.server { return .probablyHeldBy(server: server) }
        }
        return nil
    }

    /// Returns the first process that has the node open; `nil` if there is none or `/proc` does not
    /// show it. Ignores the process with the id `known`, and processes that this process is
    /// starting.
    func holder(besides known: Int? = nil) -> DeviceError.Detail? {
        let real = Node(path).realPath
        guard let file = Node(real).file,
            let process = RunningProcess.all.first(where: {
                $0.id != known && !$0.isBeingStarted && $0.hasOpen(real, file)
            })
        else { return nil }
        return .heldBy(
            program: process.server ?? process.name ?? "a program", processID: process.id)
    }

    private var userName: String? {
        var buffer = [CChar](repeating: 0, count: 16_384)
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        guard getpwuid_r(getuid(), &entry, &buffer, buffer.count, &found) == 0, found != nil,
            let name = entry.pw_name
        else { return nil }
        return String(cString: name)
    }

    private func group(_ id: gid_t) -> (name: String, members: [String])? {
        var buffer = [CChar](repeating: 0, count: 65_536)
        var entry = Glibc.group()
        var found: UnsafeMutablePointer<Glibc.group>?
        guard getgrgid_r(id, &entry, &buffer, buffer.count, &found) == 0, found != nil,
            let name = entry.gr_name
        else { return nil }
        var members: [String] = []
        var next = entry.gr_mem
        while let list = next, let member = list.pointee {
            members.append(String(cString: member))
            next = list + 1
        }
        return (String(cString: name), members)
    }
}
