// SPDX-License-Identifier: MIT
import Devices
import Glibc

/// The identity of a regular file, independent of its path.
package struct RegularFile: Equatable {
    private let device: dev_t
    private let number: ino_t

    /// The file that a path leads to; `nil` where that is something else, or nothing.
    ///
    /// The corresponding C function is `stat`.
    package init?(path: String) {
        var status = stat()
        guard stat(FileName.native(path), &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return nil
        }
        device = status.st_dev
        number = status.st_ino
    }

    /// The file that is open; `nil` where that is something else.
    ///
    /// The corresponding C function is `fstat`.
    package init?(_ descriptor: CInt) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return nil
        }
        device = status.st_dev
        number = status.st_ino
    }
}
