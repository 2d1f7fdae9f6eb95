// SPDX-License-Identifier: MIT
import CUdev

/// What udev's rules and other programs make of a tty.
package struct TTYTreatment: Sendable {
    /// Whether ModemManager has been told to keep off.
    package let isIgnoredByModemManager: Bool

    /// Asks udev for a tty; nil where it does not know it.
    package init?(path: String) {
        let node = Node(path).realPath
        guard let udev = Udev(), let name = node.split(separator: "/").last,
            let device = udev_device_new_from_subsystem_sysname(udev.context, "tty", String(name))
        else { return nil }
        defer { udev_device_unref(device) }
        func isSet(_ property: String) -> Bool {
            udev_device_get_property_value(device, property).map { String(cString: $0) } == "1"
        }
        isIgnoredByModemManager = isSet("ID_MM_DEVICE_IGNORE") || isSet("ID_MM_PORT_IGNORE")
    }

    /// The process that has a tty open, as far as /proc lets us see; nil for what is no tty.
    package static func holder(of path: String) -> DeviceError.Detail? {
        let node = Node(path).realPath
        let name = node.split(separator: "/").last.map { String($0) } ?? ""
        // What is open in many processes, such as /dev/null, is none.
        let isTTY =
            node.hasPrefix("/dev/pts/") || Node("/sys/class/tty/\(name)").linkTarget != nil
        return isTTY ? NodeAccess(path).holder : nil
    }
}
