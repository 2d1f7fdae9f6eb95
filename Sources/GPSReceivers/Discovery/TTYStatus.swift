// SPDX-License-Identifier: MIT
import CGPSUdev
import GNSS
import GPSIO
import Glibc

/// The settings of a tty by udev's rules, the kernel and other programs.
package struct TTYStatus: Sendable {
    /// Whether ModemManager is configured to ignore it.
    package let isIgnoredByModemManager: Bool
    /// The file that switches off the device's power saving; `nil` if it is off.
    package let powerControl: String?

    /// Reads the settings of a tty; `nil` if udev does not know it.
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

    /// Returns the milliseconds for which an FTDI converter buffers bytes; `nil` for other ttys.
    package static func latencyTimer(of path: String) -> Int? {
        guard let name = name(of: path),
            let file = fopen("/sys/class/tty/\(name)/device/latency_timer", "re")
        else { return nil }
        defer { fclose(file) }
        var line = [UInt8](repeating: 0, count: 16)
        let count = fread(&line, 1, line.count, file)
        return Int(String(decoding: line.prefix(count).prefix { $0 != 0x0A }, as: UTF8.self))
    }

    /// Returns the process that has a tty open, as far as `/proc` is readable; `nil` for other
    /// nodes.
    package static func holder(of path: String) -> DeviceError.Detail? {
        // Other nodes, such as /dev/null, are open in many processes.
        let isTTY = Node(path).realPath.hasPrefix("/dev/pts/") || name(of: path) != nil
        return isTTY ? NodeAccess(path).holder : nil
    }

    /// Returns the process other than this one that has a tty open, as far as `/proc` is readable.
    ///
    /// Opening such a tty may succeed: many programs do not lock it, and locks do not apply to
    /// root. Each reader then gets part of the bytes.
    package static func otherReader(of path: String) -> DeviceError.Detail? {
        let isTTY = Node(path).realPath.hasPrefix("/dev/pts/") || name(of: path) != nil
        return isTTY ? NodeAccess(path).holder(besides: Int(getpid())) : nil
    }

    /// Returns whether another program has locked a tty. Call it only if another program has the
    /// tty open.
    ///
    /// The corresponding C function is `flock`.
    package static func isLocked(_ path: String) -> Bool {
        let descriptor = open(FileName.native(path), O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return errno == EBUSY }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }

    /// Returns the kernel's name of the tty to which a path leads.
    private static func name(of path: String) -> String? {
        // The path's own name first: the node of a simulated device is a link to a pty.
        [path, Node(path).realPath].lazy
            .compactMap { $0.split(separator: "/").last.map(String.init) }
            .first { Node("/sys/class/tty/\($0)").linkTarget != nil }
    }
}
