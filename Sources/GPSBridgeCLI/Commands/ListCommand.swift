// SPDX-License-Identifier: MIT
import Devices

/// Shows which receivers are plugged in.
struct ListCommand: Command {
    static let name = "list"
    static let summary = "Show the receivers that are plugged in."
    static let words = ""

    func run() async throws {
        let receivers = DeviceDiscovery.receivers()
        guard !receivers.isEmpty else {
            StandardError.say(
                "no receiver is plugged in; a receiver behind a serial converter can be named by "
                    + "its tty, such as /dev/ttyUSB0")
            return
        }
        let lines = receivers.map { receiver in
            let name = receiver.productName ?? receiver.known?.name ?? "receiver"
            let serial = receiver.serialNumber.map { ", serial number \($0)" } ?? ""
            // `monitor` leaves these out; scripts/monitor looks for these words.
            let lack = receiver.speaksNMEA ? "" : " (does not speak NMEA)"
            return "\(receiver.path)  \(name)\(serial)\(lack)\n"
        }
        try StandardOutput().write(Array(lines.joined().utf8))
    }
}
