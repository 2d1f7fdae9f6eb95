// SPDX-License-Identifier: MIT
import GNSS
import Glibc

/// A file that is written beside another one and replaces it when complete.
///
/// Until then the other file is unchanged, or absent. If the file system supports it, the draft has
/// no name, so that a killed process leaves nothing behind.
package final class DraftFile: Sendable {
    /// An error of writing the file.
    package struct Failure: Error {
        package let errno: CInt
    }

    /// The descriptor of the draft.
    package let descriptor: CInt
    /// The path to be replaced, after following links.
    package let target: String
    /// The draft's path, before it replaces the target; may not exist yet.
    private let path: String
    private let isNamed: Bool

    /// `O_TMPFILE`, which creates a file without a name.
    private static let unnamed = O_DIRECTORY | 0o20_000_000

    /// Creates an empty draft for `name`, which may be a link to a file. It gets that file's mode,
    /// or `mode` if the file does not exist.
    package init(replacing name: String, mode: UInt32 = 0o666) throws(Failure) {
        let target = Self.target(of: name)
        // A cycle of links: the file would replace one of them.
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
        var status = stat()
        guard stat(FileName.native(target), &status) == 0 else { return }
        // Keep the owner of the other file if possible.
        _ = fchown(descriptor, status.st_uid, status.st_gid)
        fchmod(descriptor, status.st_mode & 0o7777)
    }

    /// Removes a draft that has not been committed.
    deinit {
        close(descriptor)
        unlink(FileName.native(path))
    }

    /// Writes all bytes.
    package func write(_ bytes: [UInt8]) throws(Failure) {
        let error = Descriptor.write(all: bytes, to: descriptor)
        guard error == 0 else { throw Failure(errno: error) }
    }

    /// Replaces the target. The bytes are flushed to the disk before, so that not even a crash
    /// leaves an incomplete file.
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

    /// Gives a file without a name its name.
    ///
    /// The corresponding C function is `linkat`.
    private func link(as name: String) -> Bool {
        linkat(
            AT_FDCWD, Self.name(of: descriptor), AT_FDCWD, FileName.native(name),
            AT_SYMLINK_FOLLOW) == 0
    }

    /// Returns the path of an open file without a name.
    private static func name(of descriptor: CInt) -> String { "/proc/self/fd/\(descriptor)" }

    /// Returns the path to which a name leads, following links; the file need not exist.
    package static func target(of name: String) -> String { target(of: name, links: 40) }

    /// Follows at most `links` links to files that do not exist yet, as many as the kernel does.
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
        return FileName.string(
            UnsafeBufferPointer(start: path, count: strlen(path)).map { UInt8(bitPattern: $0) })
    }
}
