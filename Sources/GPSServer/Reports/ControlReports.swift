// SPDX-License-Identifier: MIT
import GNSS
import GPSConfiguration

/// The objects about the connection itself, each one line of the protocol.
enum ControlReports {
    /// The limit of devices in one list: libgps 3.22 hangs forever if there are more.
    private static let mostListed = 4

    /// `VERSION`: the release and protocol of the gpsd version whose objects are written.
    static func version(_ name: String) -> [UInt8] {
        var object = JSONObject(class: "VERSION")
        object.add("release", "3.22")
        object.add("rev", name)
        object.add("proto_major", 3)
        object.add("proto_minor", 14)
        return object.line
    }

    /// Returns `DEVICES`, and the devices that do not fit in it.
    static func devices(
        _ devices: [ServedDevice], isComplete: Bool
    ) -> (line: [UInt8], rest: [ServedDevice]) {
        let open = devices.filter { $0.activated != nil }
        // Devices with a fix come first.
        let sorted = open.filter { $0.mode > .noFix } + open.filter { $0.mode <= .noFix }
        let listed = isComplete ? sorted.count : min(sorted.count, mostListed)
        var object = JSONObject(class: "DEVICES")
        object.add("devices", objects: sorted[..<listed].map(\.report))
        return (object.line, Array(sorted[listed...]))
    }

    /// `DEVICE`.
    static func device(_ device: ServedDevice) -> [UInt8] {
        Array(device.report.utf8) + [0x0D, 0x0A]
    }

    /// `WATCH`.
    static func watch(_ watch: Watch) -> [UInt8] {
        var object = JSONObject(class: "WATCH")
        object.add("enable", watch.isEnabled)
        object.add("json", watch.json)
        object.add("nmea", watch.nmea)
        object.add("raw", watch.raw)
        object.add("scaled", watch.scaled)
        object.add("timing", watch.timing)
        object.add("split24", watch.split24)
        object.add("pps", watch.pps)
        object.add("device", watch.device)
        return object.line
    }

    /// `POLL` at a time, with the members that ``poll(of:)`` returned.
    static func poll(_ members: [UInt8], at time: UTCTime?) -> [UInt8] {
        var object = JSONObject(class: "POLL")
        object.add("time", time?.description)
        return object.description.utf8.dropLast() + members
    }

    /// The members of `POLL` after its time: the last reports of the devices and the number of
    /// active ones.
    static func poll(of devices: [ServedDevice]) -> [UInt8] {
        var object = JSONObject()
        object.add("active", devices.count(where: \.isActive))
        for (name, kind) in [("tpv", ReportClass.tpv), ("gst", .gst), ("sky", .sky)] {
            object.add(name, objects: devices.compactMap { $0.lastReports[kind] })
        }
        return [UInt8(ascii: ",")] + object.line.dropFirst()
    }

    /// `ACK`, the reply after writing bytes to a receiver.
    static var acknowledgement: [UInt8] { JSONObject(class: "ACK").line }

    /// `CONFIGURE` during a change: a line for the user.
    static func configure(_ path: String, progress text: String) -> [UInt8] {
        var object = JSONObject(class: "CONFIGURE")
        object.add("path", path)
        object.add("progress", text)
        return object.line
    }

    /// `CONFIGURE` at the end of a change: the receiver's state as a text and as settings.
    static func configure(_ path: String, _ report: ConfigurationReport) -> [UInt8] {
        var object = JSONObject(class: "CONFIGURE")
        object.add("path", path)
        object.add("ok", true)
        object.add("text", ConfigurationText.lines(report).joined(separator: "\n"))
        object.add("settings", (report.after ?? report.before)?.toml)
        return object.line
    }

    /// `CONFIGURE` of a change that failed.
    static func configure(_ path: String, failure: String) -> [UInt8] {
        var object = JSONObject(class: "CONFIGURE")
        object.add("path", path)
        object.add("ok", false)
        object.add("error", failure)
        return object.line
    }

    /// `ERROR`.
    static func error(_ message: String) -> [UInt8] {
        var object = JSONObject(class: "ERROR")
        object.add("message", message)
        return object.line
    }
}

extension JSONObject {
    /// The object as a line of the protocol.
    var line: [UInt8] { Array(description.utf8) + [0x0D, 0x0A] }
}
