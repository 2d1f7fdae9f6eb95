// SPDX-License-Identifier: MIT
import Glibc

/// The file of a Unix socket on which this process listens.
struct SocketFile: Sendable {
    let path: String
    private let device: dev_t
    private let inode: ino_t

    /// Listens on a path; returns the descriptor and its file.
    ///
    /// Replaces a socket left by an earlier process. Throws if the path is another kind of file or
    /// a socket in use, or cannot be created.
    static func listen(
        _ path: String, backlog: CInt
    ) throws(IOError) -> (descriptor: CInt, file: SocketFile) {
        func failed(_ error: CInt) -> IOError { IOError(.listen, path, errno: error) }
        guard let address = SocketAddress(unix: path) else { throw failed(ENAMETOOLONG) }
        let kind = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
        let fd = socket(AF_UNIX, kind | CInt(SOCK_NONBLOCK.rawValue), 0)
        guard fd >= 0 else { throw failed(errno) }
        var error = bind(fd, to: address)
        if error == EADDRINUSE, let old = status(of: path) {
            if old.st_mode & S_IFMT != S_IFSOCK {
                error = EEXIST
            } else if isAbandoned(address), unlink(path) == 0 {
                error = bind(fd, to: address)
            }
        }
        if error == 0, Glibc.listen(fd, backlog) != 0 { error = errno }
        // The folder's permissions decide which users can connect.
        if error == 0, chmod(path, 0o666) != 0 { error = errno }
        guard error == 0, let status = status(of: path) else {
            Glibc.close(fd)
            throw failed(error == 0 ? ENOENT : error)
        }
        return (fd, SocketFile(path: path, device: status.st_dev, inode: status.st_ino))
    }

    /// Removes the file, unless it has been replaced.
    func remove() {
        guard let status = Self.status(of: path), (status.st_dev, status.st_ino) == (device, inode)
        else { return }
        unlink(path)
    }

    /// Binds a socket; returns 0 or the `errno`.
    private static func bind(_ fd: CInt, to address: SocketAddress) -> CInt {
        address.use { Glibc.bind(fd, $0, $1) } == 0 ? 0 : errno
    }

    /// Returns the status of the path itself, without following a symbolic link.
    private static func status(of path: String) -> stat? {
        var status = stat()
        return lstat(path, &status) == 0 ? status : nil
    }

    /// Returns whether no process listens on a Unix socket.
    private static func isAbandoned(_ address: SocketAddress) -> Bool {
        let kind = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
        let fd = socket(AF_UNIX, kind | CInt(SOCK_NONBLOCK.rawValue), 0)
        guard fd >= 0 else { return false }
        defer { Glibc.close(fd) }
        return address.use { connect(fd, $0, $1) } != 0 && errno == ECONNREFUSED
    }
}
