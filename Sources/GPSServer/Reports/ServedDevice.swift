// SPDX-License-Identifier: MIT
package import GNSS
import GPSFormats

/// One device as clients see it: what `DEVICE` and `POLL` report of it.
package struct ServedDevice: Sendable {
    /// The most bytes of a path that libgps takes.
    private static let longestPath = 127

    /// The tty, URL or file; cut where it is longer than libgps takes.
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
    /// Whether nothing has come from it for several cycles.
    package var isSilent = false
    /// Where its data comes from, as far as that is known.
    package var origin: DataOrigin
    /// Bits per second where it is a serial line and the rate is known.
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
