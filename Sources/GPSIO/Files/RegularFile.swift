// SPDX-License-Identifier: MIT
import GNSS
import Glibc

/// A regular file, whatever its path; the same one is equal, however much was written to it meanwhile.
package struct RegularFile: Equatable {
    private let device: dev_t
    private let number: ino_t
    /// The size in bytes when it was looked at.
    package let size: Int

    /// The file that a path leads to; `nil` where that is something else, or nothing.
    ///
    /// The corresponding C function is `stat`.
    package init?(path: String) {
        var status = stat()
        guard stat(FileName.native(path), &status) == 0 else { return nil }
        self.init(status)
    }

    /// The file that is open; `nil` where that is something else.
    ///
    /// The corresponding C function is `fstat`.
    package init?(_ descriptor: CInt) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    private init?(_ status: stat) {
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        device = status.st_dev
        number = status.st_ino
        size = Int(status.st_size)
    }

    package static func == (one: RegularFile, other: RegularFile) -> Bool {
        one.device == other.device && one.number == other.number
    }
}
