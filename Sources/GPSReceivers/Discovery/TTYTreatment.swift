// SPDX-License-Identifier: MIT
import CGPSUdev
import GNSS
import GPSIO
import Glibc

/// How udev's rules, the kernel and other programs treat a tty.
package struct TTYTreatment: Sendable {
    /// Whether ModemManager is configured to ignore it.
    package let isIgnoredByModemManager: Bool
    /// The file in which the device's power saving can be switched off; nil where it is.
    package let powerControl: String?

    /// Asks udev about a tty; `nil` if it does not know it.
    package init?(path: String) {
        guard let udev = Udev(), let name = Self.name(of: path),
            let device = udev_device_new_from_subsystem_sysname(udev.context, "tty", name)
        else { return nil }
        defer { udev_device_unref(device) }
        func isSet(_ property: String) -> Bool {
            UdevDevice.property(property, of: device) == "1"
        }
        isIgnoredByModemManager = isSet("ID_MM_DEVICE_IGNORE") || isSet("ID_MM_PORT_IGNORE")
        let usb = UdevDevice.usbParent(of: device)
        let isSaving = usb.flatMap { UdevDevice.attribute("power/control", of: $0) } == "auto"
        powerControl =
            isSaving
            ? usb.flatMap(udev_device_get_syspath).map { String(cString: $0) + "/power/control" }
            : nil
    }

    /// Milliseconds for which an FTDI converter collects bytes; `nil` for other ttys.
    package static func latencyTimer(of path: String) -> Int? {
        guard let name = name(of: path),
            let file = fopen("/sys/class/tty/\(name)/device/latency_timer", "re")
        else { return nil }
        defer { fclose(file) }
        var line = [UInt8](repeating: 0, count: 16)
        let count = fread(&line, 1, line.count, file)
        return Int(String(decoding: line.prefix(count).prefix { $0 != 0x0A }, as: UTF8.self))
    }

    /// The process that has a tty open, as far as `/proc` shows it; `nil` for other nodes.
    package static func holder(of path: String) -> DeviceError.Detail? {
        // What is open in many processes, such as /dev/null, is none.
        let isTTY = Node(path).realPath.hasPrefix("/dev/pts/") || name(of: path) != nil
        return isTTY ? NodeAccess(path).holder : nil
    }

    /// The process other than this one that has a tty open, as far as /proc lets us see.
    ///
    /// Opening such a tty may succeed: many programs lock nothing, and root is never locked out. Each
    /// of its readers then gets a part of the bytes.
    package static func otherReader(of path: String) -> DeviceError.Detail? {
        let isTTY = Node(path).realPath.hasPrefix("/dev/pts/") || name(of: path) != nil
        return isTTY ? NodeAccess(path).holder(besides: Int(getpid())) : nil
    }

    /// Whether another program keeps others from opening a tty that it has open. Only ask where one has.
    ///
    /// The corresponding C function is `flock`.
    package static func isLocked(_ path: String) -> Bool {
        let descriptor = open(FileName.native(path), O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return errno == EBUSY }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }

    /// The kernel's name of a tty that a path leads to.
    private static func name(of path: String) -> String? {
        // Its own name first: an invented device's node is a link to a pty.
        [path, Node(path).realPath].lazy
            .compactMap { $0.split(separator: "/").last.map(String.init) }
            .first { Node("/sys/class/tty/\($0)").linkTarget != nil }
    }
}
