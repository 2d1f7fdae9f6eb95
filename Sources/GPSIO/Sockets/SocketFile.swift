// SPDX-License-Identifier: MIT
import Glibc

/// The file of a Unix socket that this process listens on.
struct SocketFile: Sendable {
    let path: String
    private let device: dev_t
    private let inode: ino_t

    /// Listens on a path: returns the descriptor and its file.
    ///
    /// A socket that an earlier process has left is replaced. Throws where the path names
    /// anything else, a socket that a process listens on, or no place for a file.
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
        // The folder decides which users can connect.
        if error == 0, chmod(path, 0o666) != 0 { error = errno }
        guard error == 0, let status = status(of: path) else {
            Glibc.close(fd)
            throw failed(error == 0 ? ENOENT : error)
        }
        return (fd, SocketFile(path: path, device: status.st_dev, inode: status.st_ino))
    }

    /// Removes the file, if it is still this one.
    func remove() {
        guard let status = Self.status(of: path), (status.st_dev, status.st_ino) == (device, inode)
        else { return }
        unlink(path)
    }

    /// 0, or the `errno`.
    private static func bind(_ fd: CInt, to address: SocketAddress) -> CInt {
        address.use { Glibc.bind(fd, $0, $1) } == 0 ? 0 : errno
    }

    /// The status of the path itself: a symbolic link is not followed.
    private static func status(of path: String) -> stat? {
        var status = stat()
        return lstat(path, &status) == 0 ? status : nil
    }

    /// Whether nothing listens on a Unix socket.
    private static func isAbandoned(_ address: SocketAddress) -> Bool {
        let kind = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
        let fd = socket(AF_UNIX, kind | CInt(SOCK_NONBLOCK.rawValue), 0)
        guard fd >= 0 else { return false }
        defer { Glibc.close(fd) }
        return address.use { connect(fd, $0, $1) } != 0 && errno == ECONNREFUSED
    }
}
