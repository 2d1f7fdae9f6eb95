// SPDX-License-Identifier: MIT
import CGPSSerial
import GNSS
import Glibc

/// A path, and what the file system says about it.
struct Node {
    /// What can stand at a path.
    enum Kind: Equatable {
        case characterDevice, regularFile, pipe, socket, folder, other

        init(mode: mode_t) {
            switch mode & S_IFMT {
            case S_IFCHR: self = .characterDevice
            case S_IFREG: self = .regularFile
            case S_IFIFO: self = .pipe
            case S_IFSOCK: self = .socket
            case S_IFDIR: self = .folder
            default: self = .other
            }
        }
    }

    /// A file's identity.
    struct File: Equatable {
        let device: dev_t
        let number: ino_t
    }

    let path: String

    init(_ path: String) {
        self.path = path
    }

    /// The path without links; as given, but absolute, where there is nothing yet.
    var realPath: String {
        var real = [CChar](repeating: 0, count: Int(PATH_MAX))
        guard cserial_real_path(FileName.native(path), &real, UInt(real.count)) == 0 else {
            return absolutePath
        }
        return real.withUnsafeBytes { FileName.string($0.prefix { $0 != 0 }) }
    }

    /// The path from the root, links untouched.
    var absolutePath: String {
        guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
        defer { free(folder) }
        return String(cString: folder) + "/" + path
    }

    /// The file that the path leads to.
    var file: File? {
        var status = stat()
        guard stat(FileName.native(path), &status) == 0 else { return nil }
        return File(device: status.st_dev, number: status.st_ino)
    }

    /// Whether the path leads to a folder.
    var isFolder: Bool { (try? kind()) == .folder }  // what cannot be looked at is none

    /// The text of the symbolic link at the path; nil where there is none.
    ///
    /// The corresponding C function is `readlink`.
    var linkTarget: String? {
        var text = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = text.withUnsafeMutableBytes { bytes in
            bytes.withMemoryRebound(to: CChar.self) { text in
                text.baseAddress.map { readlink(FileName.native(path), $0, text.count) } ?? 0
            }
        }
        return count > 0 ? FileName.string(text.prefix(count)) : nil
    }

    /// The kernel driver behind a tty, such as `cdc_acm`; nil where there is none, as with a pty.
    var driver: String? {
        var status = stat()
        guard stat(FileName.native(path), &status) == 0 else { return nil }
        let (major, minor) = (gnu_dev_major(status.st_rdev), gnu_dev_minor(status.st_rdev))
        let link = Node("/sys/dev/char/\(major):\(minor)/device/driver").linkTarget
        return link?.split(separator: "/").last.map(String.init)
    }

    /// Whether the path leads to the terminal that controls this process, or to its name, `/dev/tty`.
    ///
    /// The tty is not opened, which would raise its DTR.
    var isOwnTerminal: Bool { cserial_is_own_terminal(FileName.native(path)) }

    /// What stands at the path, links followed.
    func kind() throws(DeviceError) -> Kind {
        var status = stat()
        guard stat(FileName.native(path), &status) == 0 else { throw error(errno) }
        return Kind(mode: status.st_mode)
    }

    /// Opens what must be of one kind, without ever waiting for a pipe's writer; elsewhere than on the polling thread,
    /// since a disk may be slow.
    func openForReading(
        as wanted: Kind, poller: Poller = .shared
    ) async throws(DeviceError) -> Descriptor {
        try await withTaskExecutorPreference(BackgroundExecutor.shared) {
            () async throws(DeviceError) in try openNow(as: wanted, poller)
        }
    }

    private func openNow(as wanted: Kind, _ poller: Poller) throws(DeviceError) -> Descriptor {
        let found = try kind()
        guard found == wanted else {
            throw DeviceError(found == .folder ? .isDirectory : .notADevice, device: path)
        }
        let fd = open(FileName.native(path), O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard fd >= 0 else { throw error(errno) }
        return Descriptor(fd, poller: poller)
    }

    /// What an `errno` from opening the path means.
    func error(_ number: CInt) -> DeviceError {
        switch number {
        // A node whose device has gone gives ENXIO or ENODEV.
        case ENOENT, ENXIO, ENODEV, ENOTDIR:
            DeviceError(.notFound, device: path, errno: number)
        case EACCES:
            DeviceError(
                .permissionDenied, device: path, errno: number,
                detail: NodeAccess(path).missingGroup)
        // A device cgroup: the node's group would not help.
        case EPERM: DeviceError(.permissionDenied, device: path, errno: number)
        case EBUSY:
            DeviceError(.busy, device: path, errno: number, detail: NodeAccess(path).holder)
        case EISDIR: DeviceError(.isDirectory, device: path, errno: number)
        case ENOTTY: DeviceError(.notADevice, device: path, errno: number)
        case EINVAL: DeviceError(.configurationFailed, device: path, errno: number)
        default: DeviceError(.ioFailed, device: path, errno: number)
        }
    }
}

extension DeviceError {
    /// What an `errno` from opening a path means.
    package static func opening(_ path: String, errno: CInt) -> DeviceError {
        Node(path).error(errno)
    }
}
