// SPDX-License-Identifier: MIT
public import GNSS

/// Writes gpsd's JSON objects, one a line: compact, `class` first, undefined members left out.
///
/// Values come from the receiver, or follow from its values by geometry; the estimated errors
/// (`eph`, `epv`, `sep`…) alone are DOP times gpsd's constants, since programs have thresholds on
/// them.
public struct GPSDReports: ~Copyable {
    private var json = JSONObject()
    private let device: String
    /// Data that is made up carries gpsd's status 8, whatever the sentences claim.
    private let isSimulated: Bool

    /// Makes a writer for the reports of one device.
    public init(device: String, isSimulated: Bool = false) {
        self.device = device
        self.isSimulated = isSimulated
    }

    /// What was written since the last `removeAll`.
    public var bytes: [UInt8] { json.bytes }

    /// Forgets what was written, and keeps the room.
    public mutating func removeAll() {
        json.removeAll()
    }

    /// `TPV`: time, position and velocity of one epoch.
    public mutating func report(_ fix: Fix) {
        begin("TPV")
        json.number("status", status(of: fix))
        json.number("mode", Int(fix.mode.rawValue))
        if let time = fix.time { instant("time", time) }
        if let position = fix.coordinate {
            json.number("lat", position.latitude, decimals: 9)
            json.number("lon", position.longitude, decimals: 9)
            json.number("altHAE", fix.ellipsoidalAltitude, decimals: 4)
            json.number("altMSL", fix.altitude, decimals: 4)
            json.number("alt", fix.altitude ?? fix.ellipsoidalAltitude, decimals: 4)
            let errors = GPSDErrors(fix)
            json.number("epx", errors.epx, decimals: 3)
            json.number("epy", errors.epy, decimals: 3)
            json.number("epv", errors.epv, decimals: 3)
            json.number("track", fix.course, decimals: 4)
            json.number("magtrack", magneticCourse(of: fix), decimals: 4)
            json.number("magvar", fix.magneticVariation, decimals: 1)
            json.number("speed", fix.speed, decimals: 3)
            json.number("geoidSep", fix.mode == .threeD ? fix.geoidSeparation : nil, decimals: 3)
            json.number("eph", errors.eph, decimals: 3)
            json.number("sep", errors.sep, decimals: 3)
            if (fix.correctionAge ?? 0) > 0.09 || (fix.correctionStation ?? 0) > 0 {
                json.number("dgpsAge", fix.correctionAge, decimals: 1)
                json.number("dgpsSta", fix.correctionStation)
            }
        }
        end()
    }

    /// `SKY`: the satellites in view, and the dilutions of the last fix.
    public mutating func report(_ view: SatelliteView, dilution: DilutionOfPrecision) {
        begin("SKY")
        if let time = view.time { instant("time", time) }
        json.number("hdop", dilution.hdop, decimals: 2)
        json.number("pdop", dilution.pdop, decimals: 2)
        json.number("vdop", dilution.vdop, decimals: 2)
        let satellites = view.satellites
        json.number("nSat", satellites.count)
        json.number("uSat", satellites.count(where: \.isUsed))
        if !satellites.isEmpty {
            json.beginList("satellites")
            for satellite in satellites { report(satellite) }
            json.endList()
        }
        end()
    }

    /// `DEVICE`: the device is open. `subtype` says what it is where it is no live receiver.
    public mutating func reportActivated(subtype: String?) {
        json.begin()
        json.literal("class", "DEVICE")
        json.text("path", device)
        json.literal("driver", "NMEA0183")
        if let subtype { json.text("subtype", subtype) }
        end()
    }

    /// `DEVICE` with `activated` 0: the device is gone.
    public mutating func reportGone() {
        json.begin()
        json.literal("class", "DEVICE")
        json.text("path", device)
        json.number("activated", 0)
        end()
    }

    private mutating func report(_ satellite: Satellite) {
        json.separate()
        json.begin()
        json.number("PRN", satellite.id.nmeaNumber)
        json.number("gnssid", satellite.id.constellation.gnssID)
        json.number("svid", Int(satellite.id.svid))
        json.number("az", satellite.azimuth, decimals: 1)
        json.number("el", satellite.elevation, decimals: 1)
        json.number("ss", satellite.cn0, decimals: 1)
        json.flag("used", satellite.isUsed)
        json.end()
    }

    private mutating func begin(_ name: StaticString) {
        json.begin()
        json.literal("class", name)
        json.text("device", device)
    }

    private mutating func end() {
        json.end()
        json.endLine()
    }

    private mutating func instant(_ name: StaticString, _ instant: UTCTime) {
        json.key(name)
        json.raw { bytes in
            bytes.append(UInt8(ascii: "\""))
            bytes.append(iso8601: instant)
            bytes.append(UInt8(ascii: "\""))
        }
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

    private func magneticCourse(of fix: Fix) -> Double? {
        if let course = fix.magneticCourse { return course }
        guard let course = fix.course, let variation = fix.magneticVariation else { return nil }
        let magnetic = (course - variation).truncatingRemainder(dividingBy: 360)
        return magnetic < 0 ? magnetic + 360 : magnetic
    }
}
