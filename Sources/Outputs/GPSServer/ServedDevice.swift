// SPDX-License-Identifier: MIT
package import GNSS
import GPSFormats
import GPSReceivers

/// The state of a device that clients see in `DEVICE` and `POLL`.
package struct ServedDevice: Sendable {
    /// The maximum length of a path that libgps accepts, in bytes.
    private static let maximumPathLength = 127
    /// gpsd's driver for receivers that send binary messages (UBX).
    private static let binaryDriver = "u-blox"
    /// gpsd's driver for receivers that send sentences.
    private static let sentenceDriver = "NMEA0183"

    /// Returns gpsd's driver for a receiver; `nil` before it is known whether the receiver sends UBX.
    static func driver(sendsUBX: Bool?) -> String? {
        sendsUBX.map { $0 ? binaryDriver : sentenceDriver }
    }

    /// The path of the tty or file, or the URL. It is truncated if it is too long for libgps.
    package var path: String {
        didSet { path = path.prefix(utf8: Self.maximumPathLength) }
    }
    /// The time when the device was opened; `nil` while it is not open.
    package var activated: UTCTime? {
        didSet { hasBeenOpened = hasBeenOpened || activated != nil }
    }
    /// Whether the device has ever been open.
    private(set) var hasBeenOpened = false
    /// Whether the path is known before the device is opened for the first time: it is the name of
    /// the source.
    let hasKnownPath: Bool
    /// The gpsd driver that would read the data, such as `NMEA0183`; `nil` until the device has
    /// sent valid data.
    package var driver: String?
    /// Whether the device has sent AIS messages since it was opened.
    package var hasVessels = false
    /// Whether the device is open, but has sent nothing for several cycles.
    package var isSilent = false
    /// Whether the data is live, recorded or simulated.
    package var origin: DataOrigin
    /// The baud rate; `nil` unless it is a serial line with a known rate.
    package var baudRate: Int?
    /// The rate to which the tty of a receiver without a baud rate (native USB) is set; otherwise
    /// `nil`. It has no effect on the receiver, but clients of gpsd require a rate.
    package var ttyRate: Int?
    /// The time between fixes in seconds; `nil` if it has not been measured yet.
    package var cycle: Double?
    /// The last `TPV`, `GST` and `SKY`, without line ends.
    package var lastReports: [ReportClass: String] = [:]
    /// The mode of the last fix.
    package var mode = FixMode.noFix
    /// The DOPs of the last fix, which a receiver may send without a list of satellites.
    package var dilution = DilutionOfPrecision()
    /// The number of satellites used in the last fix; `nil` if unknown.
    package var satellitesUsed: Int?

    /// Creates a device that has not been opened.
    package init(path: String, origin: DataOrigin = .live, hasKnownPath: Bool = true) {
        self.path = path.prefix(utf8: Self.maximumPathLength)
        self.origin = origin
        self.hasKnownPath = hasKnownPath
    }

    /// The `bps` in `DEVICE`; `nil` if it is unknown.
    var rate: Int? { baudRate ?? ttyRate }

    /// 1 if the receiver sends binary messages, otherwise 0, as in gpsd.
    var native: Int { driver == Self.binaryDriver ? 1 : 0 }

    /// Whether the device is open, has sent valid data other than AIS messages, and is not silent.
    var isActive: Bool { isUp && driver != nil }

    /// Whether the device is open, has sent valid data or AIS messages, and is not silent.
    var isUp: Bool {
        activated != nil && (driver != nil || hasVessels) && !isSilent
    }

    /// Returns the last report of a class. For an active device without such a report, returns a
    /// minimal object, because clients of gpsd read the object without checking that there is one.
    /// Returns `nil` for other devices without such a report.
    func lastReport(of kind: ReportClass) -> String? {
        if let report = lastReports[kind] { return report }
        guard isActive else { return nil }
        var object = JSONObject(class: kind.rawValue)
        object.add("device", path)
        switch kind {
        case .tpv: object.add("mode", Int(FixMode.noFix.rawValue))
        case .gst: break
        case .sky:
            object.add("hdop", dilution.hdop, decimals: 2)
            object.add("pdop", dilution.pdop, decimals: 2)
            object.add("vdop", dilution.vdop, decimals: 2)
            object.add("uSat", satellitesUsed)
        }
        return object.description
    }

    /// Sets the properties that a receiver's model contains.
    mutating func update(from receiver: ReceiverModel) {
        origin = receiver.origin
        isSilent = receiver.condition.isOpen && !receiver.isReceiving
        driver = receiver.condition.isOpen ? Self.driver(sendsUBX: receiver.sendsUBX) : nil
        guard let fix = receiver.epoch?.fix else { return mode = .noFix }
        (mode, dilution, satellitesUsed) = (fix.mode, fix.dilution, fix.satellitesUsed)
    }

    /// The `DEVICE` object without a line end.
    package var report: String {
        var object = JSONObject(class: "DEVICE")
        object.add("path", path)
        // The subtype (origin) of a recording is known before it is opened. It is sent then, so
        // that a server that reads this one marks the first sentences.
        let subtype = origin.subtype
        var name: String?
        // gpsd's driver for a line with AIS messages only.
        if activated != nil { name = driver ?? (hasVessels ? "AIVDM" : nil) }
        // python3-gps ends with an error if there is a subtype without a driver.
        object.add("driver", name ?? (subtype == nil ? nil : Self.sentenceDriver))
        object.add("subtype", subtype)
        guard let activated else {
            // As in gpsd, a device that has never been open has no `activated`.
            if hasBeenOpened { object.add("activated", 0) }
            return object.description
        }
        object.add("activated", activated.description)
        // Bits for positions and for AIS. Some clients use only the devices that have one of them.
        let flags = (driver == nil ? 0 : 1) | (hasVessels ? 8 : 0)
        if flags != 0 { object.add("flags", flags) }
        if path.hasPrefix("/dev/") || rate != nil {
            object.add("native", native)
            object.add("bps", rate)
            object.add("parity", "N")
            object.add("stopbits", 1)
            // gpsprof requires a cycle if there is a rate. gpsd also reports 1 s until it knows it.
            object.add("cycle", cycle ?? (rate == nil ? nil : 1), decimals: 2)
        }
        return object.description
    }
}

/// The classes of reports in `POLL`, which contains the last report of each class.
package enum ReportClass: String, Sendable {
    case tpv = "TPV"
    case gst = "GST"
    case sky = "SKY"
}
