// SPDX-License-Identifier: MIT
package import GNSS

/// A client's selection of reports: the settings of its last `?WATCH`.
package struct Watch: Hashable, Sendable {
    /// Whether reports are streamed.
    package var isEnabled = false
    /// Whether JSON reports are sent.
    package var json = false
    /// Whether sentences are sent.
    package var nmea = false
    /// 1: sentences, as with `nmea`; 2 and above: unchanged bytes.
    package var raw = 0
    /// AIS objects have knots, degrees and metres instead of the numbers sent.
    package var scaled = false
    /// Whether `TPV` has `rtime` and `sor`: the times of the report and of the arrival of the first
    /// byte.
    package var timing = false
    /// Each part of an AIS message of type 24 is an object of its own.
    package var split24 = false
    /// Whether TOFF and PPS are sent.
    package var pps = false
    /// The only device to watch; `nil` for all.
    package var device: String?
    /// Whether gpsbridge's own members follow gpsd's, and `DEVICES` is complete.
    package var isExtended = false

    /// Creates the settings of a client that has sent no `?WATCH`.
    package init() {}

    /// Applies the members of a request. As in gpsd, formats that it leaves out are kept, and
    /// everything else returns to its default.
    package mutating func update(from members: [String: JSONScalar]) {
        isEnabled = members["enable"]?.flag ?? true
        if let value = members["json"] { json = value.flag }
        if let value = members["nmea"] { nmea = value.flag }
        if let value = members["raw"] { raw = value.wholeNumber }
        scaled = members["scaled"]?.flag ?? false
        timing = members["timing"]?.flag ?? false
        split24 = members["split24"]?.flag ?? false
        pps = members["pps"]?.flag ?? false
        device = members["device"]?.text
        isExtended = members["gpsbridge"]?.flag ?? false
    }

    /// Whether sentences are sent.
    package var wantsSentences: Bool { isEnabled && raw < 2 && (nmea || raw == 1) }

    /// Whether unchanged bytes are sent.
    package var wantsBytes: Bool { isEnabled && raw >= 2 }

    /// Whether JSON reports are sent.
    package var wantsReports: Bool { isEnabled && json }
}
