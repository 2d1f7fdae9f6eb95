// SPDX-License-Identifier: MIT
import GNSS
import Glibc

/// The file of a Unix socket on which this process listens.
struct SocketFile: Sendable {
    let path: String
    private let file: Node.File

    /// Creates a Unix socket that listens on a path. Returns its descriptor and its file.
    ///
    /// Replaces the socket of a process that has ended. Throws an ``IOError`` if the path is
    /// another kind of file (`EEXIST`) or a socket in use (`EADDRINUSE`), or if the socket cannot
    /// be created.
    static func listen(
        _ path: String, mode: mode_t, backlog: CInt
    ) throws(IOError) -> (descriptor: CInt, file: SocketFile) {
        func failed(_ error: CInt) -> IOError { IOError(.listen, path, errno: error) }
        guard let address = SocketAddress(unix: path) else { throw failed(ENAMETOOLONG) }
        let fd = address.socketNumber(SOCK_STREAM)
        guard fd >= 0 else { throw failed(errno) }
        var error = bind(fd, to: address)
        if error == EADDRINUSE, let old = status(of: path) {
            if old.st_mode & S_IFMT != S_IFSOCK {
                error = EEXIST
            } else if isAbandoned(address), unlink(FileName.native(path)) == 0 {
                error = bind(fd, to: address)
            }
        }
        // No program can connect before the socket listens.
        if error == 0, chmod(FileName.native(path), mode) != 0 { error = errno }
        if error == 0, Glibc.listen(fd, backlog) != 0 { error = errno }
        guard error == 0, let status = status(of: path) else {
            Glibc.close(fd)
            throw failed(error == 0 ? ENOENT : error)
        }
        return (fd, SocketFile(path: path, file: Node.File(status)))
    }

    /// Removes the file, unless another process has replaced it.
    func remove() {
        guard let status = Self.status(of: path), Node.File(status) == file else { return }
        unlink(FileName.native(path))
    }

    /// Binds a socket. Returns 0 or the `errno`.
    private static func bind(_ fd: CInt, to address: SocketAddress) -> CInt {
        address.use { Glibc.bind(fd, $0, $1) } == 0 ? 0 : errno
    }

    /// Returns the status of the path itself, without following a symbolic link.
    private static func status(of path: String) -> stat? {
        var status = stat()
        return lstat(FileName.native(path), &status) == 0 ? status : nil
    }

    /// Whether the process that created a Unix socket has ended, so that connections are refused.
    private static func isAbandoned(_ address: SocketAddress) -> Bool {
        let fd = address.socketNumber(SOCK_STREAM)
        guard fd >= 0 else { return false }
        defer { Glibc.close(fd) }
        return address.use { connect(fd, $0, $1) } != 0 && errno == ECONNREFUSED
    }
}
