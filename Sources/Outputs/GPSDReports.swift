// SPDX-License-Identifier: MIT
public import GNSS

/// Writes gpsd's JSON objects, one a line: compact, `class` first, undefined members left out.
///
/// Values come from the receiver, or follow from its values by geometry; the estimated errors
/// (`eph`, `epv`, `sep`…) alone are DOP times gpsd's constants, since programs have thresholds on
/// them.
public struct GPSDReports {
    private var lines = JSONLines()
    private let device: [UInt8]
    /// How the objects of an open device begin: class and device.
    private let tpvHead: PaddedText
    private let skyHead: PaddedText
    /// Data that is made up carries gpsd's status 8, whatever the sentences claim.
    private let isSimulated: Bool

    /// More members than an object has, not counting its satellites.
    private static let members = 24
    private static let satelliteMembers = 7

    /// Makes a writer for the reports of one device.
    public init(device: String, isSimulated: Bool = false) {
        self.device = JSONLines.escaped(device)
        self.isSimulated = isSimulated
        tpvHead = PaddedText(Array(#"{"class":"TPV","device":"#.utf8) + self.device)
        skyHead = PaddedText(Array(#"{"class":"SKY","device":"#.utf8) + self.device)
    }

    /// What was written since the last `removeAll`.
    public var bytes: Span<UInt8> {
        @_lifetime(borrow self)
        get { lines.bytes }
    }

    /// Forgets what was written, and keeps the room.
    public mutating func removeAll() {
        lines.removeAll()
    }

    /// `TPV`: time, position and velocity of one epoch.
    public mutating func report(_ fix: Fix) {
        lines.makeRoom(tpvHead.count + Self.members * TextWriter.longestMember)
        lines.count = Self.write(
            fix, status: status(of: fix), tpvHead, into: &lines.room, from: lines.count)
    }

    /// `SKY`: the satellites in view, and the dilutions of the last fix.
    public mutating func report(_ view: SatelliteView, dilution: DilutionOfPrecision) {
        let counts = view.counts
        let members = Self.members + counts.inView * Self.satelliteMembers
        lines.makeRoom(skyHead.count + members * TextWriter.longestMember)
        lines.count = Self.write(
            view, counts, dilution, skyHead, into: &lines.room, from: lines.count)
    }

    // In functions of their own: a closure would be given copies of all that is large.

    private static func write(
        _ fix: Fix, status: Int?, _ head: PaddedText, into room: inout [UInt8], from start: Int
    ) -> Int {
        let names = JSONNames.all
        var span = room.mutableSpan
        var json = TextWriter(span.mutableBytes, count: start)
        json.put(head)
        json.number(names.status, status)
        json.number(names.mode, Int(fix.mode.rawValue))
        if let time = fix.time {
            json.put(names.time)
            json.instant(time)
        }
        if let position = fix.coordinate { json.position(position, of: fix) }
        json.put(names.objectEnd)
        return json.count
    }

    private static func write(
        _ view: SatelliteView, _ counts: (inView: Int, used: Int), _ dilution: DilutionOfPrecision,
        _ head: PaddedText, into room: inout [UInt8], from start: Int
    ) -> Int {
        let names = JSONNames.all
        var span = room.mutableSpan
        var json = TextWriter(span.mutableBytes, count: start)
        json.put(head)
        if let time = view.time {
            json.put(names.time)
            json.instant(time)
        }
        json.number(names.hdop, dilution.hdop, decimals: 2)
        json.number(names.pdop, dilution.pdop, decimals: 2)
        json.number(names.vdop, dilution.vdop, decimals: 2)
        json.number(names.inView, counts.inView)
        json.number(names.used, counts.used)
        if counts.inView > 0 { json.satellites(view) }
        json.put(names.objectEnd)
        return json.count
    }

    /// `DEVICE`: the device is open. `subtype` says what it is where it is no live receiver.
    public mutating func reportActivated(subtype: String?) {
        let head = Array(#"{"class":"DEVICE","path":"#.utf8) + device
        let driver = Array(#","driver":"NMEA0183""#.utf8)
        let kind = subtype.map { Array(#","subtype":"#.utf8) + JSONLines.escaped($0) } ?? []
        let whole = head + driver + kind
        lines.line(atMost: whole.count + 1) { json in
            json.put(whole.span)
            json.put(character: "}")
        }
    }

    /// `DEVICE` with `activated` 0: the device is gone.
    public mutating func reportGone() {
        let head = Array(#"{"class":"DEVICE","path":"#.utf8) + device
        lines.line(atMost: head.count + TextWriter.longestMember) { json in
            json.put(head.span)
            json.put(JSONNames.all.activated)
            json.integer(0)
            json.put(character: "}")
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
}

extension TextWriter {
    /// Position and velocity.
    fileprivate mutating func position(_ position: Coordinate, of fix: Fix) {
        let names = JSONNames.all
        number(names.latitude, position.latitude, decimals: 9)
        number(names.longitude, position.longitude, decimals: 9)
        number(names.ellipsoidalAltitude, fix.ellipsoidalAltitude, decimals: 4)
        number(names.seaLevelAltitude, fix.altitude, decimals: 4)
        number(names.altitude, fix.altitude ?? fix.ellipsoidalAltitude, decimals: 4)
        let errors = GPSDErrors(fix)
        number(names.eastError, errors.epx, decimals: 3)
        number(names.northError, errors.epy, decimals: 3)
        number(names.verticalError, errors.epv, decimals: 3)
        number(names.course, fix.course, decimals: 4)
        number(names.magneticCourse, magneticCourse(of: fix), decimals: 4)
        number(names.magneticVariation, fix.magneticVariation, decimals: 1)
        number(names.speed, fix.speed, decimals: 3)
        number(names.geoidSeparation, fix.mode == .threeD ? fix.geoidSeparation : nil, decimals: 3)
        number(names.horizontalError, errors.eph, decimals: 3)
        number(names.sphericalError, errors.sep, decimals: 3)
        if (fix.correctionAge ?? 0) > 0.09 || (fix.correctionStation ?? 0) > 0 {
            number(names.correctionAge, fix.correctionAge, decimals: 1)
            number(names.correctionStation, fix.correctionStation)
        }
    }

    fileprivate mutating func satellites(_ view: SatelliteView) {
        // A static is asked for once, not for each satellite.
        let heads = SatelliteHeads.all
        let names = JSONNames.all
        put(names.satellites)
        var index = 0
        while let satellite = view.nextSatellite(after: &index) {
            let head = heads[satellite.id]
            put(head.0)
            put(head.1)
            tenths(names.azimuth, satellite.azimuthMillionths)
            tenths(names.elevation, satellite.elevationMillionths)
            tenths(names.strength, satellite.cn0Millionths)
            put(satellite.isUsed ? names.isUsed : names.isUnused)
        }
        // In the place of the last comma.
        replaceLast("]")
    }

    private func magneticCourse(of fix: Fix) -> Double? {
        if let course = fix.magneticCourse { return course }
        guard let course = fix.course, let variation = fix.magneticVariation else { return nil }
        let magnetic = (course - variation).truncatingRemainder(dividingBy: 360)
        return magnetic < 0 ? magnetic + 360 : magnetic
    }
}
