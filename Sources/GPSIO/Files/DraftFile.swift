// SPDX-License-Identifier: MIT
import GNSS
import Glibc

/// A file that is written beside another one, and takes its place once it is whole.
///
/// Whatever happens before that leaves the other one as it was, or no file where there was none. The
/// draft has no name where the file system can do that, so that nothing stays of a process that is killed.
package final class DraftFile: Sendable {
    /// Why a file cannot be written.
    package struct Failure: Error {
        package let errno: CInt
    }

    /// The file that is written to.
    package let descriptor: CInt
    /// What it replaces: never a link.
    package let target: String
    /// The draft's own name, which it may not have yet.
    private let path: String
    private let isNamed: Bool

    /// `O_TMPFILE`: a file without a name.
    private static let unnamed = O_DIRECTORY | 0o20_000_000

    /// Creates an empty file beside `name`, which may lead to a file by links. It gets that file's mode,
    /// or `mode` where there is none.
    package init(replacing name: String, mode: UInt32 = 0o666) throws(Failure) {
        let target = Self.target(of: name)
        // Links that lead to one another: the file would take the place of one of them.
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
        // Another one's file stays his where that is possible.
        _ = fchown(descriptor, status.st_uid, status.st_gid)
        fchmod(descriptor, status.st_mode & 0o7777)
    }

    /// Removes what has not taken its place.
    deinit {
        close(descriptor)
        unlink(FileName.native(path))
    }

    /// Writes everything.
    package func write(_ bytes: [UInt8]) throws(Failure) {
        let error = Descriptor.write(all: bytes, to: descriptor)
        guard error == 0 else { throw Failure(errno: error) }
    }

    /// Puts it in its place; its bytes are on the disk before its name is, so that not even a crash
    /// leaves half of it there.
    package func commit() throws(Failure) {
        guard fsync(descriptor) == 0 else { throw Failure(errno: errno) }
        if !isNamed {
            if link(as: target) { return }
            // A link cannot take the place of a file.
            guard errno == EEXIST, link(as: path) else { throw Failure(errno: errno) }
        }
        guard rename(FileName.native(path), FileName.native(target)) == 0 else {
            throw Failure(errno: errno)
        }
    }

    /// Gives a file without a name one.
    ///
    /// The corresponding C function is `linkat`.
    private func link(as name: String) -> Bool {
        linkat(
            AT_FDCWD, Self.name(of: descriptor), AT_FDCWD, FileName.native(name),
            AT_SYMLINK_FOLLOW) == 0
    }

    /// The path of an open file without a name.
    private static func name(of descriptor: CInt) -> String { "/proc/self/fd/\(descriptor)" }

    /// The file that a name leads to, itself no link; there need not be one yet.
    package static func target(of name: String) -> String { target(of: name, links: 40) }

    /// Follows so many links that lead to no file yet, as the kernel does.
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
