// SPDX-License-Identifier: MIT

/// Advice about a serial line on which a login program runs, as on the pins of a Raspberry Pi.
package enum LoginConsole {
    /// The advice to switch on the serial line of a board, without a login program.
    package static let boardLine =
        "on a Raspberry Pi: sudo raspi-config, Interface Options, Serial Port: no login shell, but the port enabled"

    /// Returns the advice to stop the login program on a serial line, which systemd would start
    /// again.
    package static func remedy(for device: String) -> String {
        let isLink = !device.hasPrefix("/dev/tty")
        let tty = isLink ? "TTY" : String(device.dropFirst("/dev/".count))
        let link = isLink ? "; readlink \(device) shows TTY" : ""
        return "\(boardLine); elsewhere: "
            + "sudo systemctl mask --now serial-getty@\(tty).service\(link)"
    }
}
