// SPDX-License-Identifier: MIT
import GNSS
import Glibc

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

    /// The descriptor of the draft.
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

    /// Writes all bytes.
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
