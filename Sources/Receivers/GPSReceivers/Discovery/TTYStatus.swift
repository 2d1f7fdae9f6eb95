// SPDX-License-Identifier: MIT
import CGPSUdev
import GNSS
import GPSIO
import Glibc

/// Conditions that can disturb the reading of a tty: ModemManager, power saving, and other programs
/// that use the tty.
package struct TTYStatus: Sendable {
    /// Whether ModemManager is configured to ignore the tty.
    package let isIgnoredByModemManager: Bool
    /// The path of the sysfs file that controls the USB device's power saving; `nil` if power
    /// saving is off or the tty is not a USB device.
    package let powerControl: String?

    /// Reads the state of a tty. Returns `nil` if udev does not know the tty.
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

    /// Returns the latency timer of an FTDI converter, which is the maximum time, in milliseconds,
    /// for which the converter buffers bytes. Returns `nil` for other ttys.
    package static func latencyTimer(of path: String) -> Int? {
        guard let name = name(of: path),
            let text = RegularFile.contents("/sys/class/tty/\(name)/device/latency_timer")
        else { return nil }
        return Int(String(decoding: text.prefix { $0 != 0x0A }, as: UTF8.self))
    }

    /// Returns the process that has a tty open; `nil` if there is none, `/proc` does not show it,
    /// or the node is not a tty.
    package static func holder(of path: String) -> DeviceError.Detail? {
        // Other nodes, such as /dev/null, are open in many processes.
        isTTY(path) ? NodeAccess(path).holder() : nil
    }

    /// Returns the process, other than this one, that has a tty open; `nil` if there is none,
    /// `/proc` does not show it, or the node is not a tty.
    ///
    /// Opening the tty may succeed nevertheless: many programs do not lock it, and locks do not
    /// apply to root. Each reader then receives only some of the bytes.
    package static func otherReader(of path: String) -> DeviceError.Detail? {
        isTTY(path) ? NodeAccess(path).holder(besides: Int(getpid())) : nil
    }

    /// Returns whether a path leads to a tty, or to the device of a receiver with a kernel driver.
    private static func isTTY(_ path: String) -> Bool {
        Node(path).isPseudoTerminal || Node(path).isGNSSDevice() || name(of: path) != nil
    }

    /// Returns whether another program has locked a tty. Call it only if another program has the
    /// tty open: this function also opens the tty, and opening can reset a device that is not open
    /// yet.
    ///
    /// The corresponding C function is `flock`.
    package static func isLocked(_ path: String) -> Bool {
        let descriptor = open(FileName.native(path), O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return errno == EBUSY }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }

    /// Returns the kernel's name for the tty at `path`, such as `ttyUSB0`; `nil` if it is not in
    /// `/sys/class/tty`.
    private static func name(of path: String) -> String? {
        // Try the path's own name first, because the node of a simulated device is a link to a
        // pseudo terminal.
        [path, Node(path).realPath].lazy
            .compactMap { $0.split(separator: "/").last.map(String.init) }
            .first { Node("/sys/class/tty/\($0)").linkTarget != nil }
    }
}
