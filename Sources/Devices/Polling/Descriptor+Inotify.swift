// SPDX-License-Identifier: MIT
import CSerial

extension Descriptor {
    /// A queue of file system events; nil where the user has no more of them.
    ///
    /// The corresponding C function is `inotify_init1`.
    static func inotify() -> Descriptor? {
        let fd = inotify_init1(CInt(IN_NONBLOCK) | CInt(IN_CLOEXEC))
        return fd >= 0 ? Descriptor(fd) : nil
    }
}
