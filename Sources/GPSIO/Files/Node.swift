// SPDX-License-Identifier: MIT
import CGPSSerial
import GNSS
import Glibc

/// A path, and what the file system says about it.
package struct Node {
    /// What can stand at a path.
    package enum Kind: Equatable {
        case characterDevice, regularFile, pipe, socket, folder, other

        /// What an open descriptor leads to; `nil` where it is closed.
        package init?(of descriptor: CInt) {
            var status = stat()
            guard fstat(descriptor, &status) == 0 else { return nil }
            self.init(mode: status.st_mode)
        }

        fileprivate init(mode: mode_t) {
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
    package struct File: Equatable {
        fileprivate let device: dev_t
        fileprivate let number: ino_t
    }

    package let path: String

    package init(_ path: String) {
        self.path = path
    }

    /// The path without links; as given, but absolute, where there is nothing yet.
    package var realPath: String {
        var real = [CChar](repeating: 0, count: Int(PATH_MAX))
        guard cserial_real_path(FileName.native(path), &real, UInt(real.count)) == 0 else {
            return absolutePath
        }
        return real.withUnsafeBytes { FileName.string($0.prefix { $0 != 0 }) }
    }

    /// The path from the root, links untouched.
    package var absolutePath: String {
        guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
        defer { free(folder) }
        return String(cString: folder) + "/" + path
    }

    /// The file that the path leads to.
    package var file: File? {
        var status = stat()
        guard stat(FileName.native(path), &status) == 0 else { return nil }
        return File(device: status.st_dev, number: status.st_ino)
    }

    /// Whether the path leads to a folder.
    package var isFolder: Bool { (try? kind()) == .folder }  // what cannot be looked at is none

    /// The text of the symbolic link at the path; nil where there is none.
    ///
    /// The corresponding C function is `readlink`.
    package var linkTarget: String? {
        var text = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = text.withUnsafeMutableBytes { bytes in
            bytes.withMemoryRebound(to: CChar.self) { text in
                text.baseAddress.map { readlink(FileName.native(path), $0, text.count) } ?? 0
            }
        }
        return count > 0 ? FileName.string(text.prefix(count)) : nil
    }

    /// The kernel driver behind a tty, such as `cdc_acm`; nil where there is none, as with a pty.
    package var driver: String? {
        var status = stat()
        guard stat(FileName.native(path), &status) == 0 else { return nil }
        let (major, minor) = (gnu_dev_major(status.st_rdev), gnu_dev_minor(status.st_rdev))
        let link = Node("/sys/dev/char/\(major):\(minor)/device/driver").linkTarget
        return link?.split(separator: "/").last.map(String.init)
    }

    /// Whether the path leads to the terminal that controls this process, or to its name, `/dev/tty`.
    ///
    /// The tty is not opened, which would raise its DTR.
    package var isOwnTerminal: Bool { cserial_is_own_terminal(FileName.native(path)) }

    /// What stands at the path, links followed.
    package func kind() throws(IOError) -> Kind {
        var status = stat()
        guard stat(FileName.native(path), &status) == 0 else { throw IOError(.open, path) }
        return Kind(mode: status.st_mode)
    }
}
