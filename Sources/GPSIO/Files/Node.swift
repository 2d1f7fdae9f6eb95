// SPDX-License-Identifier: MIT
import CGPSSerial
import GNSS
import Glibc

/// A path, and the properties of its file.
package struct Node {
    /// The kind of file at a path.
    package enum Kind: Equatable {
        case characterDevice, regularFile, pipe, socket, folder, other

        /// Returns the kind of an open descriptor; `nil` if it is closed.
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

    /// The path without links; the absolute path if the file does not exist.
    package var realPath: String {
        var real = [CChar](repeating: 0, count: Int(PATH_MAX))
        guard cserial_real_path(FileName.native(path), &real, UInt(real.count)) == 0 else {
            return absolutePath
        }
        return real.withUnsafeBytes { FileName.string($0.prefix { $0 != 0 }) }
    }

    /// The absolute path, with its links.
    package var absolutePath: String {
        guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
        defer { free(folder) }
        return String(cString: folder) + "/" + path
    }

    /// The identity of the file to which the path leads.
    package var file: File? {
        var status = stat()
        guard stat(FileName.native(path), &status) == 0 else { return nil }
        return File(device: status.st_dev, number: status.st_ino)
    }

    /// Whether the path leads to a folder.
    package var isFolder: Bool { (try? kind()) == .folder }  // a path without access counts as none

    /// The text of the symbolic link at the path; `nil` if it is not one.
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

    /// The kernel driver of a tty, such as `cdc_acm`; `nil` if there is none, as for a pty.
    package var driver: String? {
        var status = stat()
        guard stat(FileName.native(path), &status) == 0 else { return nil }
        let (major, minor) = (gnu_dev_major(status.st_rdev), gnu_dev_minor(status.st_rdev))
        let link = Node("/sys/dev/char/\(major):\(minor)/device/driver").linkTarget
        return link?.split(separator: "/").last.map(String.init)
    }

    /// Whether the path leads to the controlling terminal of this process, or is its name,
    /// `/dev/tty`.
    ///
    /// The tty is not opened, which would raise its DTR.
    package var isOwnTerminal: Bool { cserial_is_own_terminal(FileName.native(path)) }

    /// Returns the kind of file at the path, following links.
    package func kind() throws(IOError) -> Kind {
        var status = stat()
        guard stat(FileName.native(path), &status) == 0 else { throw IOError(.open, path) }
        return Kind(mode: status.st_mode)
    }
}
