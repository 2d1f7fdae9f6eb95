// SPDX-License-Identifier: MIT
import GNSS
import GPSConfiguration

/// Creates the objects of gpsd's protocol that do not report a position, such as `VERSION` and
/// `DEVICES`. Each is one line.
enum ControlReports {
    /// The maximum number of devices in one `DEVICES`. libgps 3.22 hangs forever if there are more.
    private static let maximumListed = 4

    /// Returns `VERSION` with the release of gpsd that the server stands for.
    static func version(_ release: GPSDRelease) -> [UInt8] {
        var object = JSONObject(class: "VERSION")
        object.add("release", release.rawValue)
        object.add("rev", GPSDConversation.serverName)
        object.add("proto_major", release.protocolVersion.major)
        object.add("proto_minor", release.protocolVersion.minor)
        object.add("gpsbridge", true)
        return object.line
    }

    /// Returns a `DEVICES` line with at most four of the devices that are open or have never been
    /// open, and, as `rest`, the others of these. If `isComplete` is `true`, the line contains all.
    static func devices(
        _ devices: [ServedDevice], isComplete: Bool
    ) -> (line: [UInt8], rest: [ServedDevice]) {
        // As in gpsd, a device is also listed before it is opened for the first time.
        let present = devices.filter { $0.activated != nil || !$0.hasBeenOpened }
        // Devices with a fix come first.
        let sorted = present.filter { $0.mode > .noFix } + present.filter { $0.mode <= .noFix }
        let listed = isComplete ? sorted.count : min(sorted.count, maximumListed)
        var object = JSONObject(class: "DEVICES")
        object.add("devices", objects: sorted[..<listed].map(\.report))
        return (object.line, Array(sorted[listed...]))
    }

    static func device(_ device: ServedDevice) -> [UInt8] {
        Array(device.report.utf8) + [0x0D, 0x0A]
    }

    /// Returns `WATCH` with a client's current settings.
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

    /// Returns `POLL` with a time, the number of active devices, and the last reports of each
    /// device. As in gpsd, each list has one object for each active device.
    static func poll(of devices: [ServedDevice], at time: UTCTime?) -> [UInt8] {
        var object = JSONObject(class: "POLL")
        object.add("time", time?.description)
        object.add("active", devices.count(where: \.isActive))
        for (name, kind) in [("tpv", ReportClass.tpv), ("gst", .gst), ("sky", .sky)] {
            object.add(name, objects: devices.compactMap { $0.lastReport(of: kind) })
        }
        return object.line
    }

    /// `ACK`, the reply after bytes were written to a receiver.
    static var acknowledgement: [UInt8] { JSONObject(class: "ACK").line }

    /// Returns `CONFIGURE` with a line of text about the progress of a change.
    static func configure(_ path: String, progress text: String) -> [UInt8] {
        var object = JSONObject(class: "CONFIGURE")
        object.add("path", path)
        object.add("progress", text)
        return object.line
    }

    /// Returns `CONFIGURE` after a successful change. `text` contains the report and the stored
    /// warm-start data, and `settings` the receiver's settings as TOML.
    static func configure(
        _ path: String, _ report: ConfigurationResult, after request: ConfigurationRequest,
        _ stored: WarmStartData?
    ) -> [UInt8] {
        var object = JSONObject(class: "CONFIGURE")
        object.add("path", path)
        object.add("ok", true)
        let lines =
            ConfigurationText.lines(report, after: request)
            + (stored.map { ConfigurationText.lines($0) } ?? [])
        object.add("text", lines.joined(separator: "\n"))
        object.add("settings", (report.after ?? report.before)?.toml)
        return object.line
    }

    /// Returns `CONFIGURE` for a change that failed.
    static func configure(_ path: String, failure: String) -> [UInt8] {
        var object = JSONObject(class: "CONFIGURE")
        object.add("path", path)
        object.add("ok", false)
        object.add("error", failure)
        return object.line
    }

    static func error(_ message: String) -> [UInt8] {
        var object = JSONObject(class: "ERROR")
        object.add("message", message)
        return object.line
    }

    /// Returns the message of an `ERROR` object at the beginning of `error`; an empty string if
    /// there is none.
    static func message(of error: [UInt8]) -> String {
        var members: [String: JSONScalar] = [:]
        // Fails at the text after the first object, after all members have been read.
        try? JSONScanner.read(error, into: &members)
        return members["message"]?.string ?? ""
    }
}

extension JSONObject {
    /// The object as a line of the protocol.
    var line: [UInt8] { Array(description.utf8) + [0x0D, 0x0A] }
}
