// SPDX-License-Identifier: MIT
package import GNSS

/// A client's selection of reports: the settings of its last `?WATCH`.
package struct Watch: Hashable, Sendable {
    /// Whether anything is streamed.
    package var isEnabled = false
    /// JSON reports.
    package var json = false
    /// Sentences.
    package var nmea = false
    /// 1: sentences, as with `nmea`; 2: the bytes as they came.
    package var raw = 0
    /// Accepted, without effect on reports.
    package var scaled = false
    /// `TPV` has `rtime` and `sor`: when it was reported, and its first byte had arrived.
    package var timing = false
    /// Accepted, without effect on reports.
    package var split24 = false
    /// TOFF and PPS.
    package var pps = false
    /// Only this device.
    package var device: String?
    /// Members of our own may follow gpsd's, and DEVICES is complete.
    package var isExtended = false

    /// Creates the settings of a client that has not asked for anything.
    package init() {}

    /// Changes what a request names. As with gpsd, formats that it leaves out are kept, everything
    /// else returns to its default.
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

    /// Whether the bytes are sent as received.
    package var wantsBytes: Bool { isEnabled && raw >= 2 }

    /// Whether reports are sent.
    package var wantsReports: Bool { isEnabled && json }
}
