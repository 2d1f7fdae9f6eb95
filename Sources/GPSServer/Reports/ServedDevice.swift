// SPDX-License-Identifier: MIT
package import GNSS
import GPSFormats

/// One device as clients see it in `DEVICE` and `POLL`.
package struct ServedDevice: Sendable {
    /// The longest path in bytes that libgps accepts.
    private static let longestPath = 127

    /// The tty, URL or file; truncated if it is too long for libgps.
    package var path: String {
        didSet { path = Self.cut(path) }
    }
    /// The time of opening; `nil` while it is not open.
    package var activated: UTCTime? {
        didSet { hasBeenOpened = hasBeenOpened || activated != nil }
    }
    /// Whether it has ever been open.
    package private(set) var hasBeenOpened = false
    /// Whether it has sent valid data.
    package var isRecognized = false
    /// Whether it has sent UBX, alone or between sentences.
    package var sendsUBX = false
    /// Whether it has sent nothing for several cycles.
    package var isSilent = false
    /// The origin of its data, as far as known.
    package var origin: DataOrigin
    /// Bits per second; `nil` unless it is a serial line with a known rate.
    package var baudRate: Int?
    /// Seconds between fixes; `nil` if not measured yet.
    package var cycle: Double?
    /// The last `TPV`, `GST`, `ATT` and `SKY`, without line ends.
    package var lastReports: [ReportClass: String] = [:]
    /// The mode of the last fix.
    package var mode = FixMode.noFix

    /// Creates a device that has not been opened.
    package init(path: String, origin: DataOrigin = .live) {
        self.path = Self.cut(path)
        self.origin = origin
    }

    /// Whether it is open, has sent valid data, and is not silent.
    package var isActive: Bool { activated != nil && isRecognized && !isSilent }

    private static func cut(_ path: String) -> String {
        guard path.utf8.count > longestPath else { return path }
        var cut = path.prefix(longestPath)
        while cut.utf8.count > longestPath { cut.removeLast() }
        return String(cut)
    }

    /// The `DEVICE` object without a line end.
    package var report: String {
        var object = JSONObject(class: "DEVICE")
        object.add("path", path)
        guard let activated else {
            object.add("activated", 0)
            return object.description
        }
        if isRecognized {
            object.add("driver", sendsUBX ? "u-blox" : "NMEA0183")
            object.add("subtype", origin.subtype)
        }
        object.add("activated", activated.description)
        if isRecognized { object.add("flags", 1) }
        if path.hasPrefix("/dev/") || baudRate != nil {
            object.add("native", 0)
            object.add("bps", baudRate)
            object.add("parity", "N")
            object.add("stopbits", 1)
            object.add("cycle", cycle, decimals: 2)
        }
        return object.description
    }
}

/// The report classes whose last report is kept for `POLL`.
package enum ReportClass: Hashable, Sendable {
    case tpv, gst, att, sky
}
