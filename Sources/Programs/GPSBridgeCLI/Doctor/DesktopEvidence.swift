// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import Glibc

/// Everything about geoclue, the location service of desktops, that decides whether desktop
/// programs get the receiver's position. `DesktopFindings` evaluates it.
package struct DesktopEvidence: Sendable {
    /// The path of the socket of gpsbridge's service.
    static let socketPath = "/run/gpsbridge-geoclue.sock"
    /// The agents that desktops start, by the end of their program's path, with the names by which
    /// geoclue knows them.
    private static let knownAgents = [
        ("/geoclue-2.0/demos/agent", "geoclue-demo-agent"), ("/gnome-shell", "gnome-shell"),
        ("/io.elementary.desktop.agent-geoclue2", "io.elementary.desktop.agent-geoclue2"),
        ("/phosh", "sm.puri.Phosh"), ("/lipstick", "lipstick"),
    ]

    /// Whether a geoclue is installed.
    var isInstalled = false
    /// The release, such as `2.7.2`; `nil` if it is unknown.
    var version: String?
    /// Whether this geoclue reads sentences from a socket, as since 2.6.
    var readsSockets = false
    /// The user whose process geoclue is.
    var user = "geoclue"
    var configuration: GeoclueConfiguration
    /// The names of the user's running agents, which permit programs to use the position.
    var agents: [String] = []
    /// The path of geoclue's own agent; `nil` if it is not installed.
    var agentProgram: String?
    /// GNOME's settings in `org.gnome.system.location`, by name.
    package var settings: [String: String] = [:]
    /// Whether geoclue can connect to the socket that its configuration names, or to gpsbridge's.
    var access = SocketAccess.missing

    /// The path of the socket from which geoclue reads sentences; `nil` if its configuration names
    /// none.
    var configuredSocket: String? {
        configuration["network-nmea", "nmea-socket"].map(\.value)
    }

    /// Examines the files and processes below a root folder. `user` is the user whose programs want
    /// the position; `nil` for any user.
    package init(root: String = "", user: UInt32?) {
        let tree = FileTree(root: root)
        let service = tree.text(
            "/usr/share/dbus-1/system-services/org.freedesktop.GeoClue2.service")
        let values = service.map { KeyFile.values($0) } ?? []
        let program = values.first { $0.key == "Exec" }?.value.split(separator: " ").first
        let code = program.flatMap { tree.bytes(String($0)) } ?? []
        isInstalled = !code.isEmpty
        readsSockets = code.contains("nmea-socket".utf8)
        if let name = values.first(where: { $0.key == "User" })?.value { self.user = name }
        // Releases before 2.7 do not read the folder.
        let readsFolder = code.contains(GeoclueConfiguration.folder.utf8)
        configuration = GeoclueConfiguration(tree, readsFolder: readsFolder)
        guard isInstalled else { return }
        let libraries =
            tree.names("/usr/lib").map { "/usr/lib/\($0)" } + ["/usr/lib64", "/usr/lib"]
        let description = libraries.lazy.compactMap {
            tree.text("\($0)/pkgconfig/geoclue-2.0.pc")
        }.first
        version = description?.split(separator: "\n").first { $0.hasPrefix("Version: ") }
            .map { String($0.dropFirst("Version: ".count)) }
        agents = Self.agents(tree, of: user)
        agentProgram = ["/usr/libexec", "/usr/lib"].map { "\($0)/geoclue-2.0/demos/agent" }
            .first { tree.status($0) != nil }
        access = SocketAccess(tree, configuredSocket ?? Self.socketPath, by: self.user)
    }

    /// Reads GNOME's settings, if GNOME is running.
    mutating func readSettings() async {
        guard agents.contains("gnome-shell") else { return }
        for name in ["enabled", "max-accuracy-level"] { settings[name] = await Self.setting(name) }
    }

    private static func setting(_ name: String) async -> String? {
        let words = ["gsettings", "get", "org.gnome.system.location", name]
        let poller = Poller.shared
        // Without this program, the setting is unknown.
        let child = try? ChildProcess("/usr/bin/gsettings", words, poller: poller)
        let deadline = poller.now + .seconds(5)
        var text: [UInt8] = []
        while case .bytes(let bytes) = await child?.output.read(atMost: 256, until: deadline) {
            text += bytes
        }
        let line = String(decoding: text.prefix { $0 > 0x1f }, as: UTF8.self)
        return line.isEmpty ? nil : line
    }

    private static func agents(_ tree: FileTree, of user: UInt32?) -> [String] {
        let programs = tree.names("/proc").filter { $0.allSatisfy(\.isNumber) }.compactMap {
            process -> String? in
            let owner = tree.status("/proc/\(process)")?.st_uid
            guard let owner, user == nil || owner == user else { return nil }
            return tree.firstWord(ofProcess: process)
        }
        return knownAgents.filter { end, _ in programs.contains { "/\($0)".hasSuffix(end) } }
            .map { $0.1 }
    }
}

/// geoclue's configuration: a file, and since 2.7 those in a folder, which override it.
struct GeoclueConfiguration: Sendable {
    /// A value, and the line that sets it.
    struct Setting: Sendable {
        var value: String
        var file: String
        var line: Int
    }

    static let file = "/etc/geoclue/geoclue.conf"
    static let folder = "/etc/geoclue/conf.d"

    /// Whether geoclue reads the folder.
    let readsFolder: Bool
    private var settings: [String: Setting] = [:]
    /// Whether the file has the group with the settings of sockets.
    private(set) var hasGroup = false

    fileprivate init(_ tree: FileTree, readsFolder: Bool) {
        self.readsFolder = readsFolder
        let names = readsFolder ? tree.names(Self.folder).sorted() : []
        let files = names.filter { $0.hasSuffix(".conf") }.map { "\(Self.folder)/\($0)" }
        for file in [Self.file] + files {
            guard let text = tree.text(file) else { continue }
            for value in KeyFile.values(text) {
                if file == Self.file, value.group == "network-nmea" { hasGroup = true }
                settings["\(value.group)/\(value.key)"] = Setting(
                    value: value.value, file: file, line: value.line)
            }
        }
    }

    subscript(_ group: String, _ key: String) -> Setting? { settings["\(group)/\(key)"] }

    /// The names of the agents that geoclue accepts; `nil` if it accepts any.
    var acceptedAgents: [String]? {
        let names = self["agent", "whitelist"]?.value.split(separator: ";").map { name in
            String(name.drop { $0 == " " })
        }
        return names?.isEmpty == true ? nil : names
    }
}

/// The result of an attempt to connect to a socket as another user.
enum SocketAccess: Equatable, Sendable {
    /// The user may connect.
    case open
    case missing, notSocket
    /// No process listens at the socket.
    case refused
    /// There is no such user.
    case noUser
    /// The permissions of the socket, or of a folder above it, do not allow it.
    case denied(path: String)

    fileprivate init(_ tree: FileTree, _ path: String, by user: String) {
        guard let status = tree.status(path) else {
            self = .missing
            return
        }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            self = .notSocket
            return
        }
        guard let (id, groups) = tree.user(user) else {
            self = .noUser
            return
        }
        func mayUse(_ status: stat, _ right: mode_t) -> Bool {
            let shift: mode_t =
                status.st_uid == id ? 6 : groups.contains(status.st_gid) ? 3 : 0
            return id == 0 || status.st_mode >> shift & right != 0
        }
        var folder = ""
        for name in path.split(separator: "/").dropLast() {
            folder += "/\(name)"
            guard let status = tree.status(folder), !mayUse(status, 1) else { continue }
            self = .denied(path: folder)
            return
        }
        guard mayUse(status, 2) else {
            self = .denied(path: path)
            return
        }
        self = tree.isRefused(path) ? .refused : .open
    }
}

/// Reads key files, the format of geoclue, D-Bus and desktop entries.
private enum KeyFile {
    typealias Value = (group: String, key: String, value: String, line: Int)

    /// Returns the values of all groups, with the numbers of their lines. Skips other lines.
    static func values(_ text: String) -> [Value] {
        var group = ""
        var values: [Value] = []
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let line = String(line).trimmed
            if line.hasPrefix("["), line.hasSuffix("]") {
                group = String(line.dropFirst().dropLast())
            } else if !line.hasPrefix("#"), let sign = line.firstIndex(of: "=") {
                let value = String(line[line.index(after: sign)...]).trimmed
                values.append((group, String(line[..<sign]).trimmed, value, index + 1))
            }
        }
        return values
    }
}

/// The files below a root folder.
private struct FileTree {
    let root: String

    func bytes(_ path: String) -> [UInt8]? {
        try? RegularFile.bytes(of: root + path, limit: 16 << 20)  // As if it did not exist.
    }

    func text(_ path: String) -> String? { bytes(path).map { String(decoding: $0, as: UTF8.self) } }

    func names(_ path: String) -> [String] { Folder.names(in: root + path) }

    func status(_ path: String) -> stat? {
        var status = stat()
        return stat(FileName.native(root + path), &status) == 0 ? status : nil
    }

    /// Returns the path by which a process was started.
    func firstWord(ofProcess id: String) -> String? {
        // Files in `/proc` have no size.
        guard let file = fopen("\(root)/proc/\(id)/cmdline", "re") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes.prefix(count).prefix { $0 != 0 }, as: UTF8.self)
    }

    /// Returns the number of a user and those of its groups; `nil` if there is no such user.
    func user(_ name: String) -> (id: uid_t, groups: Set<gid_t>)? {
        func lines(_ file: String) -> [[Substring]] {
            (text(file) ?? "").split(separator: "\n").map {
                $0.split(separator: ":", omittingEmptySubsequences: false)
            }
        }
        guard let entry = lines("/etc/passwd").first(where: { $0.first == name[...] }),
            entry.count > 3, let id = uid_t(entry[2]), let group = gid_t(entry[3])
        else { return nil }
        let others = lines("/etc/group").compactMap { group -> gid_t? in
            guard group.count > 3, group[3].split(separator: ",").contains(name[...]) else {
                return nil
            }
            return gid_t(group[2])
        }
        return (id, Set([group] + others))
    }

    /// Returns whether no process listens at a socket. `false` if this user may not connect to it.
    func isRefused(_ path: String) -> Bool {
        guard let address = SocketAddress(unix: root + path) else { return false }
        let descriptor = address.socketNumber(SOCK_STREAM)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return address.use { connect(descriptor, $0, $1) } != 0 && errno == ECONNREFUSED
    }
}
