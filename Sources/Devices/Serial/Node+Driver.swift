// SPDX-License-Identifier: MIT

extension Node {
    /// The kernel driver behind a tty, such as `cdc_acm`; nil where there is none, as with a pty.
    var driver: String? {
        guard let tty = realPath.split(separator: "/").last else { return nil }
        let link = Node("/sys/class/tty/\(tty)/device/driver").linkTarget
        return link?.split(separator: "/").last.map(String.init)
    }
}
