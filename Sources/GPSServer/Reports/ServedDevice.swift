// SPDX-License-Identifier: MIT
package import GNSS
import GPSFormats

/// A device as reported to clients by `DEVICE` and `POLL`.
package struct ServedDevice: Sendable {
    /// The maximum length of a path in libgps, in bytes.
    private static let longestPath = 127

    /// The tty, URL or file, shortened to the maximum of libgps.
    package var path: String {
        didSet { path = Self.cut(path) }
    }
    /// When it was opened; `nil` while it is not there.
    package var activated: UTCTime? {
        didSet { hasBeenOpened = hasBeenOpened || activated != nil }
    }
    /// Whether it has ever been there.
    package private(set) var hasBeenOpened = false
    /// Whether it has sent valid data.
    package var isRecognized = false
    /// Whether it has been silent for several cycles.
    package var isSilent = false
    /// The origin of its data, as far as it is known.
    package var origin: DataOrigin
    /// Bits per second; `nil` if it is not a serial line or the rate is unknown.
    package var baudRate: Int?
    /// Seconds between fixes.
    package var cycle: Double?
    /// The last `TPV`, `GST`, `ATT` and `SKY`, without line ends.
    package var lastReports: [ReportClass: String] = [:]
    /// The dimensions of the last fix.
    package var mode = FixMode.noFix

    /// Creates a device that has not been opened.
    package init(path: String, origin: DataOrigin = .live) {
        self.path = Self.cut(path)
        self.origin = origin
    }

    /// Whether it is open, understood, and not silent.
    package var isActive: Bool { activated != nil && isRecognized && !isSilent }

    private static func cut(_ path: String) -> String {
        guard path.utf8.count > longestPath else { return path }
        var cut = path.prefix(longestPath)
        while cut.utf8.count > longestPath { cut.removeLast() }
        return String(cut)
    }

    /// `DEVICE`, without a line end.
    package var report: String {
        var object = JSONObject(class: "DEVICE")
        object.add("path", path)
        guard let activated else {
            object.add("activated", 0)
            return object.description
        }
        if isRecognized {
            object.add("driver", "NMEA0183")
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

/// The classes of reports whose last one is kept for `POLL`.
package enum ReportClass: Hashable, Sendable {
    case tpv, gst, att, sky
}
