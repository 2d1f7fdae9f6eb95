// SPDX-License-Identifier: MIT
import GNSS
import GPSReceivers

/// Lists the receivers that are plugged in.
struct ListCommand: Command {
    static let name = "list"
    static let summary = "Show the receivers that are plugged in."
    static let argumentSyntax = ""
    static let details = """
        Serial converters, which may belong to receivers, are listed below the known receivers; `monitor` \
        without SOURCE tries them if there is no known receiver. With --json, a list of objects \
        with path, kind (receiver or candidate), model, sendsNMEA, vendorID and productID (four \
        hexadecimal digits), links, and, if known, manufacturer, product, serialNumber, \
        driver, interface, port (where it is plugged in) and stablePath (the same after replugging).
        """

    static var manual: [ManualSection] { ManualSections.listing }

    static let options: [CommandOption<ListCommand>] = [
        .init("json", letter: "j", \.isJSON, "Print JSON")
    ]

    private var isJSON = false

    func run() async throws {
        let devices = DeviceDiscovery.devices()
        let found =
            devices.filter { $0.kind == .receiver } + devices.filter { $0.kind == .candidate }
        if isJSON {
            let objects = found.map(\.json.description).joined(separator: ",\n ")
            try StandardOutput().write("[\(objects)]\n")
            return
        }
        let unboundDevices = UnboundDevice.all()
        for unbound in unboundDevices {
            StandardError.print(
                "\(unbound.model) (\(unbound.id)) is plugged in, but has no tty: run "
                    + "`gpsbridge doctor` to find the reason"
            )
        }
        guard !found.isEmpty else {
            guard unboundDevices.isEmpty else { return }
            StandardError.print(
                "no receiver is plugged in; to use another tty, give its name, such as /dev/ttyS0")
            return
        }
        let lines = found.map { device in
            let serial = device.serialNumber.map { ", serial number \($0)" } ?? ""
            let text = "\(device.path)  \(device.model)\(serial)\(device.reservation)"
            return TerminalText.safe(text) + "\n"
        }
        try StandardOutput().write(lines.joined())
    }
}

extension DiscoveredDevice {
    fileprivate var reservation: String {
        if kind == .candidate { return " (may be a receiver)" }
        // `monitor` skips these receivers. scripts/monitor searches for this text.
        return sendsNMEA ? "" : " (does not send NMEA)"
    }

    fileprivate var json: JSONObject {
        var json = JSONObject()
        json.add("path", path)
        json.add("kind", kind.rawValue)
        json.add("model", model)
        json.add("sendsNMEA", sendsNMEA)
        json.add("vendorID", vendorID)
        json.add("productID", productID)
        json.add("manufacturer", manufacturerName)
        json.add("product", productName)
        json.add("serialNumber", serialNumber)
        json.add("driver", driver)
        json.add("interface", interfaceNumber)
        json.add("port", port)
        json.add("stablePath", stablePath)
        json.add("links", links)
        return json
    }
}
