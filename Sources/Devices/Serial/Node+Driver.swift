// SPDX-License-Identifier: MIT
import CSerial
import Glibc

extension Node {
    /// The kernel driver behind a tty, such as `cdc_acm`; nil where there is none, as with a pty.
    var driver: String? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        let (major, minor) = (gnu_dev_major(status.st_rdev), gnu_dev_minor(status.st_rdev))
        let link = Node("/sys/dev/char/\(major):\(minor)/device/driver").linkTarget
        return link?.split(separator: "/").last.map(String.init)
    }
}
