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
