// SPDX-License-Identifier: MIT
public import GNSS

/// Writes gpsd's JSON objects, one a line: compact, `class` first, undefined members left out.
///
/// Values are the receiver's or follow from them by geometry. For the estimated errors (`eph`, `epv`,
/// `sep`…) see `GPSDErrors`. If the receiver does not measure `climb`, it is the trend of the last
/// seconds' altitudes.
///
/// A `TPV` can have members that gpsd does not have: dilutions and the number of used satellites, named
/// as in `SKY`, because not every epoch has a `SKY`; `timeOfDay` in seconds, until a date is known; and
/// values that only binary protocols report: `jamming`, `spoofing`,
/// `corrections`, `covariance`, `velocityCovariance` and `protectionLevel`.
public struct GPSDReports: Equatable {
    var text = TextBuffer()
    /// The device's name, quoted.
    let device: TextBuffer
    private let smallNumbers = SmallNumbers()
    /// Whether all data is simulated; then the status is 8, whatever the receiver reports.
    public var isSimulated: Bool
    private let hasOwnMembers: Bool
    private var altitudes = AltitudeTrend()

    /// Creates a writer for the reports of one device, with members of our own or with gpsd's alone.
    public init(device name: String, isSimulated: Bool = false, hasOwnMembers: Bool = true) {
        self.hasOwnMembers = hasOwnMembers
        var device = TextBuffer()
        device.append(json: name)
        self.device = device
        self.isSimulated = isSimulated
    }

    /// The bytes written since the last `removeAll`.
    public var bytes: Span<UInt8> {
        @_lifetime(borrow self)
        get { text.bytes }
    }

    /// Removes the text and keeps its memory.
    public mutating func removeAll() {
        text.removeAll()
    }

    /// Writes a `TPV`: time, position and velocity of one epoch; and an `ATT` where its attitude is
    /// known. An attitude without a satellite receiver has a `TPV` of mode 0.
    ///
    /// With `timing`, adds `sor` and `rtime`, the times of arrival and of the report, as gpsd does for
    /// clients that request them. `rtime - time` is the latency.
    public mutating func report(_ fix: Fix, _ timing: ReportTiming? = nil) {
        altitudes.add(fix)
        let climb = fix.climb ?? altitudes.slope
        let errors = GPSDErrors(fix)
        text.appendRecord { [device, hasOwnMembers, status = status(of: fix)] record in
            record.append(#"{"class":"TPV","device":"#)
            record.append(device)
            record.append(#","status":"#, status)
            // 0 is gpsd's "unknown": without a receiver nothing reports that there is no fix.
            record.append(#","mode":"#, fix.isAttitudeOnly ? 0 : Int(fix.mode.rawValue))
            record.append(time: fix.time)
            // Without the receiver's own accuracy gpsd's constant, wherever there is a time.
            if fix.time != nil {
                record.append(#","ept":"#, errors.ept ?? 0.005, decimals: errors.ept == nil ? 3 : 9)
            }
            if let position = fix.coordinate { record.append(position, of: fix, errors, climb) }
            record.append(#","jam":"#, fix.interferenceLevel.map { Int($0) })
            if hasOwnMembers { record.appendOwnMembers(of: fix) }
            if timing == nil { record.append("}\n") }
        }
        if let timing {
            text.append(#","rtime":"#)
            text.append(fixed: timing.reported, decimals: 6)
            text.append(#","sor":"#)
            text.append(fixed: timing.firstByte, decimals: 6)
            if let count = timing.byteCount { text.append(profileOf: fix, byteCount: count) }
            text.append("}\n")
        }
        if fix.attitude != Attitude() { report(fix.attitude, of: fix) }
    }

    /// Writes a `SKY`: the satellites in view, those used and the dilutions, all of one epoch.
    public mutating func report(_ view: SatelliteView) {
        let counts = view.counts
        text.appendRecord { [device, smallNumbers] record in
            record.append(#"{"class":"SKY","device":"#)
            record.append(device)
            record.append(time: view.time)
            record.append(view.dilution)
            record.append(#","nSat":"#, counts.inView)
            record.append(#","uSat":"#, counts.used)
            if counts.inView > 0 { record.append(satellites: view, smallNumbers.texts) }
            record.append("}\n")
        }
    }

    private mutating func report(_ attitude: Attitude, of fix: Fix) {
        text.appendRecord { [device] record in
            record.append(#"{"class":"ATT","device":"#)
            record.append(device)
            record.append(time: fix.time)
            record.append(#","heading":"#, attitude.heading, decimals: 3)
            record.append(#","mheading":"#, attitude.magneticHeading, decimals: 3)
            record.append(#","pitch":"#, attitude.pitch, decimals: 3)
            record.append(#","roll":"#, attitude.roll, decimals: 3)
            record.append(#","rot":"#, attitude.rateOfTurn.map { $0 * 60 }, decimals: 3)
            record.append("}\n")
        }
    }

    /// Writes a `DEVICE`: the device is open. It has a `subtype` if the source is known not to be a live
    /// receiver.
    public mutating func reportActivated(origin: DataOrigin) {
        text.append(#"{"class":"DEVICE","path":"#)
        text.append(device)
        text.append(#","driver":"NMEA0183""#)
        if let subtype = origin.subtype {
            text.append(#","subtype":"#)
            text.append(json: subtype)
        }
        text.append("}\n")
    }

    /// Writes a `DEVICE` with `activated` 0: the device is gone.
    public mutating func reportGone() {
        text.append(#"{"class":"DEVICE","path":"#)
        text.append(device)
        text.append(#","activated":0}"#)
        text.append("\n")
    }

    private func status(of fix: Fix) -> Int? {
        if isSimulated || fix.quality == .simulated { return 8 }
        switch fix.quality {
        case .invalid, .autonomous, .simulated: return nil
        case .differential: return 2
        case .rtkFixed: return 3
        case .rtkFloat: return 4
        case .estimated: return 5
        case .manual: return 7
        case .precise: return 9
        }
    }
}

extension RecordWriter {
    mutating func append(time: UTCTime?) {
        guard let time else { return }
        append(#","time":""#)
        append(iso8601: time)
        append("\"")
    }

    @inline(__always)
    mutating func append(_ dilution: DilutionOfPrecision) {
        append(#","hdop":"#, dilution.hdop, decimals: 2)
        append(#","pdop":"#, dilution.pdop, decimals: 2)
        append(#","vdop":"#, dilution.vdop, decimals: 2)
    }

    fileprivate mutating func appendOwnMembers(of fix: Fix) {
        append(fix.dilution)
        append(#","uSat":"#, fix.satellitesUsed)
        appendReceiverState(of: fix)
        guard fix.time == nil, let time = fix.timeOfDay else { return }
        append(#","timeOfDay":"#, Double(time.nanoseconds) / 1e9, decimals: 3)
    }

    /// Appends the values that only binary protocols report.
    private mutating func appendReceiverState(of fix: Fix) {
        append(#","jamming":""#, fix.jamming?.rawValue)
        append(#","spoofing":""#, fix.spoofing?.rawValue)
        append(#","corrections":""#, fix.correctionSource?.rawValue)
        append(#","covariance":["#, fix.covariance)
        append(#","velocityCovariance":["#, fix.velocityCovariance)
        guard let level = fix.protectionLevel else { return }
        append(#","protectionLevel":{"horizontal":"#, Double(level.horizontal), decimals: 3)
        append(#","vertical":"#, Double(level.vertical), decimals: 3)
        append(#","risk":"#, Double(level.risk), decimals: 12)
        append("}")
    }

    private mutating func append(_ name: StaticString, _ word: String?) {
        guard let word else { return }
        append(name)
        var text = TextBuffer()
        for byte in word.utf8 { text.append(byte) }
        append(text)
        append("\"")
    }

    private mutating func append(_ name: StaticString, _ covariance: Covariance?) {
        guard let covariance else { return }
        append(name, Double(covariance.northNorth), decimals: 6)
        append(",", Double(covariance.northEast), decimals: 6)
        append(",", Double(covariance.northDown), decimals: 6)
        append(",", Double(covariance.eastEast), decimals: 6)
        append(",", Double(covariance.eastDown), decimals: 6)
        append(",", Double(covariance.downDown), decimals: 6)
        append("]")
    }

    /// Appends position and velocity.
    fileprivate mutating func append(
        _ position: Coordinate, of fix: Fix, _ errors: GPSDErrors, _ climb: Double?
    ) {
        append(#","lat":"#, position.latitude, decimals: 9)
        append(#","lon":"#, position.longitude, decimals: 9)
        append(#","altHAE":"#, fix.ellipsoidalAltitude, decimals: 4)
        append(#","altMSL":"#, fix.altitude, decimals: 4)
        append(#","alt":"#, fix.altitude ?? fix.ellipsoidalAltitude, decimals: 4)
        append(#","epx":"#, errors.epx, decimals: 3)
        append(#","epy":"#, errors.epy, decimals: 3)
        append(#","epv":"#, errors.epv, decimals: 3)
        append(#","track":"#, fix.course, decimals: 4)
        append(#","magtrack":"#, magneticCourse(of: fix), decimals: 4)
        append(#","magvar":"#, fix.magneticVariation, decimals: 1)
        append(#","speed":"#, fix.speed, decimals: 3)
        append(#","climb":"#, fix.mode == .threeD ? climb : nil, decimals: 3)
        append(#","eps":"#, errors.eps, decimals: 3)
        append(#","epd":"#, errors.epd, decimals: 3)
        append(#","geoidSep":"#, fix.geoidSeparation, decimals: 3)
        append(#","eph":"#, errors.eph, decimals: 3)
        append(#","sep":"#, errors.sep, decimals: 3)
        append(#","dgpsAge":"#, fix.correctionAge, decimals: 1)
        append(#","dgpsSta":"#, fix.correctionStation)
    }

    fileprivate mutating func append(satellites view: SatelliteView, _ numbers: Span<UInt64>) {
        append(#","satellites":["#)
        let (signals, used) = (view.signals.span, view.used)
        var index = 0
        while let satellite = SatelliteView.nextCombinedSignal(of: signals, after: &index) {
            // The names have 58 characters, and each number at most 40.
            guard hasRoom(for: 58 + 6 * 40) else { return }
            put(#"{"PRN":"#, satellite.id.nmeaNumber, numbers)
            put(#","gnssid":"#, satellite.id.constellation.gnssID, numbers)
            put(#","svid":"#, Int(satellite.id.svid), numbers)
            put(#","az":"#, tenths: satellite.azimuth, numbers)
            put(#","el":"#, tenths: satellite.elevation, numbers)
            put(#","ss":"#, tenths: satellite.cn0, numbers)
            if used.contains(satellite.id) {
                put(#","used":true},"#)
            } else {
                put(#","used":false},"#)
            }
        }
        // Replaces the last comma.
        replaceLast(with: "]")
    }

    private func magneticCourse(of fix: Fix) -> Double? {
        if let course = fix.magneticCourse { return course }
        guard let course = fix.course, let variation = fix.magneticVariation else { return nil }
        let magnetic = (course - variation).truncatingRemainder(dividingBy: 360)
        return magnetic < 0 ? magnetic + 360 : magnetic
    }
}

extension DataOrigin {
    /// The `subtype` of gpsd's `DEVICE`; `nil` for a live receiver, and while the origin is unknown.
    package var subtype: String? { mayBeLive ? nil : rawValue }
}
