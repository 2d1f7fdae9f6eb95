// SPDX-License-Identifier: MIT
import GNSS
import Glibc

/// The identity and size of a regular file. Two values are equal if they describe the same file,
/// even if the sizes differ.
package struct RegularFile: Equatable, Sendable {
    private let file: Node.File
    /// The size in bytes when the value was created.
    package let size: Int

    /// Examines the file at a path, following links; `nil` if it does not exist or is not a regular
    /// file.
    package init?(path: String) {
        guard let status = Node(path).status else { return nil }
        self.init(status)
    }

    /// Examines an open file; `nil` if it is not a regular file.
    ///
    /// The corresponding C function is `fstat`.
    package init?(_ descriptor: CInt) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    private init?(_ status: stat) {
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        file = Node.File(status)
        size = Int(status.st_size)
    }

    /// The reason why a file cannot be read.
    package struct ReadingError: Error, CustomStringConvertible {
        package let description: String

        fileprivate init(_ description: String) { self.description = description }

        fileprivate init(errno: CInt) { description = String(cString: strerror(errno)) }
    }

    /// Returns the content of a regular file. Throws an error if it cannot be opened or read, or has
    /// more than `limit` bytes.
    ///
    /// The corresponding C functions are `fstat` and `pread`.
    package static func bytes(
        of path: String, limit: Int = 1 << 20
    ) throws(ReadingError) -> [UInt8] {
        let descriptor = open(FileName.native(path), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw ReadingError(errno: errno) }
        defer { close(descriptor) }
        guard let file = RegularFile(descriptor) else {
            throw ReadingError("it is not a regular file")
        }
        guard file.size <= limit else {
            throw ReadingError("it has more than \(Plural.text(limit, "byte"))")
        }
        let (bytes, error) = read(descriptor, at: 0, file.size)
        guard error == 0 else { throw ReadingError(errno: error) }
        return bytes
    }

    /// Returns the reason why a file must not be used for a secret; `nil` if it may be. It is a
    /// regular file of this user or root, and no other user has any permission.
    ///
    /// `isCredential` is `true` for a file in systemd's folder of credentials. There, an access
    /// control list, which lets the service's user read it, looks like a permission of the group.
    package static func secretRefusal(_ path: String, isCredential: Bool = false) -> String? {
        var status = stat()
        guard stat(FileName.native(path), &status) == 0 else {
            return "cannot read \(path): \(String(cString: strerror(errno)))"
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            return "\(path) is not a regular file: put the secret in a regular file"
        }
        guard status.st_mode & (isCredential ? 0o037 : 0o077) == 0 else {
            let mode = String(status.st_mode & 0o777, radix: 8)
            return "\(path) can be read by others (mode \(mode)): run `chmod 600 \(path)`, and "
                + "replace its content, which others may have read"
        }
        guard [0, geteuid()].contains(status.st_uid) else {
            return "\(path) belongs to another user: give a file of this user or of root"
        }
        return nil
    }

    /// Returns the content of a regular file of at most 1 MiB; `nil` if it cannot be read.
    package static func contents(_ path: String) -> [UInt8]? { try? bytes(of: path) }

    /// Reads up to `count` bytes of an open file at an offset. Returns fewer bytes at the end of
    /// the file, and after a failure, whose `errno` is returned, too; otherwise, `errno` is 0.
    ///
    /// The corresponding C function is `pread`.
    package static func read(
        _ descriptor: CInt, at offset: Int, _ count: Int
    ) -> (bytes: [UInt8], errno: CInt) {
        var error: CInt = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
            while done < count {
                let read = pread(
                    descriptor, buffer.baseAddress?.advanced(by: done), count - done,
                    off_t(offset &+ done))
                if read < 0, errno == EINTR { continue }
                if read < 0 { error = errno }
                if read <= 0 { break }
                done += read
            }
        }
        return (bytes, error)
    }

    /// Writes all bytes to an open file at an offset. Returns 0, or the `errno` of a failure.
    ///
    /// The corresponding C function is `pwrite`.
    package static func write(_ bytes: [UInt8], to descriptor: CInt, at offset: Int) -> CInt {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                pwrite(
                    descriptor, $0.baseAddress?.advanced(by: done), $0.count - done,
                    off_t(offset + done))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count < 0 ? errno : ENOSPC }
            done += count
        }
        return 0
    }

    package static func == (one: RegularFile, other: RegularFile) -> Bool {
        one.file == other.file
    }
}

/// A new version of a file, written to the same folder. It replaces the file when it is committed.
/// Until then, the existing file does not change.
///
/// If the file system supports `O_TMPFILE`, the draft has no name, so the kernel removes it if the
/// process is killed.
package final class DraftFile: Sendable {
    /// A failed system call while creating, writing or committing a draft.
    package struct Failure: Error {
        package let errno: CInt
    }

    package let descriptor: CInt
    /// The path of the file to replace, with symbolic links resolved.
    package let target: String
    /// The draft's own path. No file exists there while the draft has no name.
    private let path: String
    private let isNamed: Bool

    /// The value of `O_TMPFILE`, which creates a file without a name.
    private static let unnamed = O_DIRECTORY | 0o20_000_000

    /// Creates an empty draft that will replace the file at `name`, following symbolic links. The
    /// draft gets the existing file's mode and, if permitted, its owner. If no file exists, it gets
    /// `mode`. Throws `ELOOP` if the links form a cycle.
    package init(replacing name: String, mode: UInt32 = 0o666) throws(Failure) {
        let target = Self.target(of: name)
        // The links form a cycle, so the draft would replace a link.
        guard Node(target).linkTarget == nil else { throw Failure(errno: ELOOP) }
        let slash = target.lastIndex(of: "/")
        let folder = slash.map { target[...$0] } ?? ""
        let last = slash.map { target[target.index(after: $0)...] } ?? target[...]
        self.target = target
        path = "\(folder).gpsbridge-\(getpid())-\(last)"
        unlink(FileName.native(path))
        let file = open(
            FileName.native(folder.isEmpty ? "." : String(folder)),
            Self.unnamed | O_WRONLY | O_CLOEXEC, mode)
        isNamed = file < 0 || access(Self.name(of: file), F_OK) != 0
        if isNamed, file >= 0 { Glibc.close(file) }
        descriptor =
            isNamed
            ? open(FileName.native(path), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode) : file
        guard descriptor >= 0 else { throw Failure(errno: Glibc.errno) }
        guard let status = Node(target).status else { return }
        // Keep the owner of the existing file; only root may set another owner.
        _ = fchown(descriptor, status.st_uid, status.st_gid)
        fchmod(descriptor, status.st_mode & 0o7777)
    }

    /// Writes `bytes` to a draft and commits it, which replaces the file at `name` atomically. If
    /// no file exists, the new file gets `mode`.
    package static func replace(
        _ name: String, with bytes: [UInt8], mode: UInt32 = 0o666
    ) throws(Failure) {
        let draft = try DraftFile(replacing: name, mode: mode)
        try draft.write(bytes)
        try draft.commit()
    }

    /// Closes the draft, and removes it if it has not been committed.
    deinit {
        close(descriptor)
        unlink(FileName.native(path))
    }

    package func write(_ bytes: [UInt8]) throws(Failure) {
        let error = Descriptor.write(all: bytes, to: descriptor)
        guard error == 0 else { throw Failure(errno: error) }
    }

    /// Flushes the draft to the disk and replaces the target atomically. After a crash, the target
    /// is either the old or the new file.
    package func commit() throws(Failure) {
        guard fsync(descriptor) == 0 else { throw Failure(errno: errno) }
        if !isNamed {
            if link(as: target) { return }
            // `linkat` cannot replace an existing file.
            guard errno == EEXIST, link(as: path) else { throw Failure(errno: errno) }
        }
        guard rename(FileName.native(path), FileName.native(target)) == 0 else {
            throw Failure(errno: errno)
        }
    }

    /// Gives the unnamed draft the path `name`. Returns `false` and sets `errno` on failure, for
    /// example to `EEXIST` if a file exists there.
    ///
    /// The corresponding C function is `linkat`.
    private func link(as name: String) -> Bool {
        linkat(
            AT_FDCWD, Self.name(of: descriptor), AT_FDCWD, FileName.native(name),
            AT_SYMLINK_FOLLOW) == 0
    }

    /// Returns the path of an open file in `/proc`. This path also works for a file without a name.
    private static func name(of descriptor: CInt) -> String { "/proc/self/fd/\(descriptor)" }

    /// Returns a path with all symbolic links resolved. The file does not have to exist.
    package static func target(of name: String) -> String { target(of: name, links: 40) }

    /// Returns a path with all symbolic links resolved, even if the file does not exist. `links` is
    /// the number of links that may still be followed. The kernel's limit is 40.
    private static func target(of name: String, links: Int) -> String {
        if let resolved = resolved(name) { return resolved }
        let slash = name.lastIndex(of: "/")
        if links > 0, let link = Node(name).linkTarget {
            let folder = link.hasPrefix("/") ? "" : slash.map { name[...$0] } ?? ""
            return target(of: folder + link, links: links - 1)
        }
        let folder = slash.map { String(name[...$0]) } ?? "."
        let last = slash.map { name[name.index(after: $0)...] } ?? name[...]
        return resolved(folder).map { ($0 == "/" ? "" : $0) + "/" + last } ?? name
    }

    private static func resolved(_ name: String) -> String? {
        guard let path = realpath(FileName.native(name), nil) else { return nil }
        defer { free(path) }
        return FileName.string(terminated: path)
    }
}

/// The folder in which the programs of this package keep their state, such as detected baud rates.
package enum StateFolder {
    /// The path of the folder: `STATE_DIRECTORY` if systemd has set it, otherwise `gpsbridge` in
    /// `XDG_STATE_HOME`, otherwise `~/.local/state/gpsbridge`. `nil` if none of these environment
    /// variables, including `HOME`, is an absolute path.
    ///
    /// If `ofRoot` is not `nil`, root uses it instead of the folder in its home.
    package static func path(
        ofRoot: String? = nil, isRoot: Bool = geteuid() == 0,
        environment: (String) -> String? = { getenv($0).map { String(cString: $0) } }
    ) -> String? {
        func variable(_ name: String) -> String? {
            environment(name).flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        // systemd may list several folders, separated by colons.
        if let own = variable("STATE_DIRECTORY")?.split(separator: ":").first { return String(own) }
        if let state = variable("XDG_STATE_HOME") { return state + "/gpsbridge" }
        if isRoot, let ofRoot { return ofRoot }
        return variable("HOME").map { $0 + "/.local/state/gpsbridge" }
    }

    /// Creates a folder and its missing parent folders. Ignores errors, because creating a file in
    /// the folder then fails too.
    package static func create(_ path: String) {
        var made = ""
        for name in path.split(separator: "/") {
            made += "/" + name
            mkdir(FileName.native(made), 0o700)
        }
    }
}

/// A symbolic link to a pseudo terminal. It keeps its path when a reconnected simulated device gets
/// a new node.
struct StableLink {
    private let path: String

    init(_ path: String) {
        self.path = path
    }

    /// Creates the link, or atomically replaces an existing link to a pseudo terminal, such as that
    /// of a killed process. Throws `EEXIST` if another file exists at the path, such as a link that
    /// udev created for a receiver.
    func point(to target: String) throws(IOError) {
        guard isFree else { throw IOError(.link, path, errno: EEXIST) }
        let draft = "\(path).\(getpid())"
        unlink(FileName.native(draft))
        guard symlink(target, FileName.native(draft)) == 0 else { throw IOError(.link, path) }
        guard rename(FileName.native(draft), FileName.native(path)) == 0 else {
            let error = errno
            unlink(FileName.native(draft))
            throw IOError(.link, path, errno: error)
        }
    }

    /// Whether the path is unused, or is a link to a pseudo terminal. A link that another process
    /// removes during this check counts as unused.
    private var isFree: Bool {
        if let target = Node(path).linkTarget { return target.hasPrefix("/dev/pts/") }
        var status = stat()
        return lstat(FileName.native(path), &status) != 0 || status.st_mode & S_IFMT == S_IFLNK
    }

    /// Removes the link if it still points to `target`.
    func remove(pointingTo target: String) {
        if Node(path).linkTarget == target { unlink(FileName.native(path)) }
    }
}
