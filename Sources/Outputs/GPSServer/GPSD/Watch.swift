// SPDX-License-Identifier: MIT
package import GNSS
import GPSReceivers

/// The settings of a client's `?WATCH` requests, which select its reports.
package struct Watch: Hashable, Sendable {
    /// Whether reports are streamed.
    package var isEnabled = false
    /// Whether JSON objects are requested.
    package var json = false
    /// Whether sentences are requested.
    package var nmea = false
    /// The raw mode: 1 requests sentences, as `nmea` does; 2 and above request raw bytes.
    package var raw = 0
    /// Whether AIS objects contain knots, degrees and metres instead of the transmitted integers.
    package var scaled = false
    /// Whether `TPV` contains `rtime`, the time of the report, and `sor`, the time when the cycle's
    /// first byte arrived.
    package var timing = false
    /// Whether parts A and B of an AIS message 24 are separate objects.
    package var split24 = false
    /// Whether `TOFF` and `PPS` are sent.
    package var pps = false
    /// The only device to watch; `nil` for all.
    package var device: String?
    /// Whether `DEVICES` lists all devices instead of at most four, and changes of devices are
    /// reported even without `json`. The request's member is `gpsbridge`.
    package var isExtended = false
    /// The name of a client that is a server, and the names of the servers that read it; empty for
    /// other clients. The names prevent servers from reading each other. The request's member is
    /// `servers`.
    package var servers: Set<String> = []

    /// Creates the settings of a client that has not sent `?WATCH`.
    package init() {}

    /// Applies the members of a request. As in gpsd, formats that the request omits are kept, and
    /// all other settings return to their defaults.
    package mutating func update(from members: [String: JSONScalar]) {
        isEnabled = members["enable"]?.flag ?? true
        if let value = members["json"] { json = value.flag }
        if let value = members["nmea"] { nmea = value.flag }
        if let value = members["raw"] { raw = value.wholeNumber }
        scaled = members["scaled"]?.flag ?? false
        timing = members["timing"]?.flag ?? false
        split24 = members["split24"]?.flag ?? false
        pps = members["pps"]?.flag ?? false
        device = members["device"]?.devicePath
        isExtended = members["gpsbridge"]?.flag ?? false
        let names = (members["servers"]?.text ?? "").split(separator: " ")
        servers = Set(names.filter(ServerChain.isName).map { String($0) })
    }

    /// Whether the data sent to the client may include data from other servers.
    var includesServers: Bool { isEnabled && device?.hasPrefix("gpsd://") ?? true }
}
