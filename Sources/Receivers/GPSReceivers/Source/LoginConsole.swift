// SPDX-License-Identifier: MIT

/// Advice about a serial line on which a login program runs, such as the one on the GPIO pins of a
/// Raspberry Pi.
package enum LoginConsole {
    /// Advice on enabling a board's serial port without a login program.
    package static let boardLine =
        "on a Raspberry Pi, run `sudo raspi-config`, choose Interface Options, then Serial Port, "
        + "disable the login shell, and enable the port"

    /// Returns advice on stopping the login program on a serial line permanently. The advice
    /// disables its service, because systemd restarts a program that merely ends.
    package static func remedy(for device: String) -> String {
        let isLink = !device.hasPrefix("/dev/tty")
        let tty = isLink ? "TTY" : String(device.dropFirst("/dev/".count))
        let link = isLink ? " (`readlink \(device)` shows TTY)" : ""
        return "\(boardLine); elsewhere, run "
            + "`sudo systemctl mask --now serial-getty@\(tty).service`\(link)"
    }
}
