// SPDX-License-Identifier: MIT
import Glibc

/// Who may open a node, and who has it open.
struct NodeAccess {
    private let path: String

    init(_ path: String) {
        self.path = path
    }

    /// The group whose members may read the node, where the user is not yet one of them.
    var missingGroup: DeviceError.Detail? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IRGRP != 0, status.st_gid != 0,
            let group = group(status.st_gid)
        else { return nil }
        guard !isActive(status.st_gid) else { return .forbidden(group: group.name) }
        let isMember = group.members.contains(userName ?? "")
        return isMember ? .groupAfterLogin(group.name) : .group(group.name)
    }

    /// Whether this process is in a group, whoever its user is.
    private func isActive(_ group: gid_t) -> Bool {
        var groups = [gid_t](repeating: 0, count: Int(max(0, getgroups(0, nil))))
        let count = getgroups(CInt(groups.count), &groups)
        return getegid() == group || groups.prefix(Int(max(0, count))).contains(group)
    }

    /// The first other process that has the node open, as far as /proc lets us see.
    var holder: DeviceError.Detail? {
        let wanted = Node(path).realPath
        guard let file = Node(wanted).file else { return nil }
        for process in names(in: "/proc").compactMap(Int.init) {
            let folder = "/proc/\(process)/fd"
            for node in names(in: folder).map({ Node("\(folder)/\($0)") })
            // The link's text first: asking for any file could wait for a network. Then the file, as
            // a container may have another one of that name.
            where node.linkTarget == wanted && node.file == file {
                return .heldBy(program: program(process), processID: process)
            }
        }
        return nil
    }

    private func program(_ process: Int) -> String {
        guard let file = fopen("/proc/\(process)/comm", "r") else { return "a program" }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 64)
        guard fgets(&line, CInt(line.count), file) != nil else { return "a program" }
        return String(
            decoding: line.prefix { $0 > 0x1f }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private func names(in folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) { name in
                    name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                })
        }
        return names
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
