// SPDX-License-Identifier: MIT
import GNSS

extension NMEA2000Message {
    /// Returns the message with the position (129025). It cannot be marked as simulated.
    static func position(of fix: Fix) -> NMEA2000Message {
        var fields = NMEA2000Fields()
        fields.add(fix.sentCoordinate?.latitude, perUnit: 1e7, signed: true, bytes: 4)
        fields.add(fix.sentCoordinate?.longitude, perUnit: 1e7, signed: true, bytes: 4)
        return NMEA2000Message(.position, fields.bytes)
    }

    /// Returns the message with the true course and the speed over ground (129026).
    static func courseAndSpeed(of fix: Fix, sequence: UInt8) -> NMEA2000Message {
        let hasFix = fix.sentCoordinate != nil
        let course = hasFix ? fix.course?.radians : nil
        var fields = NMEA2000Fields()
        fields.add(byte: sequence)
        fields.add(bits: [(course == nil ? nil : 0, 2), (nil, 6)])
        // The next higher unit would be a complete circle.
        fields.add(course.map { min($0, 6.2831) }, perUnit: 1e4, bytes: 2)
        fields.add(hasFix ? fix.speed : nil, perUnit: 100, bytes: 2)
        fields.addReserved(bytes: 2)
        return NMEA2000Message(.courseAndSpeed, fields.bytes)
    }

    /// Returns the message with the complete fix (129029). The date and the time are omitted during
    /// an integrity alarm, because they may be false and set clocks on the bus.
    ///
    /// The date is also omitted if it was corrected for a week rollover, or may be 1024 weeks too
    /// early. For live data, that applies to dates before the release of this program; for
    /// simulated or recorded data (`isSimulated`), to dates at least 1024 weeks before the release.
    static func gnssPosition(
        of fix: Fix, _ view: SatelliteView, isSimulated: Bool, sequence: UInt8
    ) -> NMEA2000Message {
        let coordinate = fix.sentCoordinate
        var fields = NMEA2000Fields()
        fields.add(byte: sequence)
        let isUncertain = isSimulated ? fix.isDateSuspect : fix.hasImpossibleDate
        let hasTime = fix.integrity?.state != .alarm
        let hasDate = hasTime && fix.receivedDate == nil && !isUncertain
        fields.add(date: hasDate ? fix.time?.date : nil)
        fields.add(time: hasTime ? fix.time?.time ?? fix.timeOfDay : nil)
        fields.add(coordinate?.latitude, perUnit: 1e16, signed: true, bytes: 8)
        fields.add(coordinate?.longitude, perUnit: 1e16, signed: true, bytes: 8)
        let hasHeight = coordinate != nil && fix.mode == .threeD
        fields.add(hasHeight ? fix.heightAboveEllipsoid : nil, perUnit: 1e6, signed: true, bytes: 8)
        fields.add(bits: [(Self.system(of: view), 4), (method(of: fix, isSimulated), 4)])
        fields.add(bits: [(verdict(fix.integrity), 2), (nil, 6)])
        fields.add(fix.satellitesUsed.map(Int64.init), bytes: 1)
        fields.add(fix.dilution.hdop, perUnit: 100, signed: true, bytes: 2)
        fields.add(fix.dilution.pdop, perUnit: 100, signed: true, bytes: 2)
        let separation = hasHeight ? fix.geoidSeparation : nil
        fields.add(separation, perUnit: 100, signed: true, bytes: 4)
        fields.add(correctionsOf: fix)
        return NMEA2000Message(.gnssPosition, fields.bytes)
    }

    /// Returns the message with the dilutions of precision and the dimensions of the fix (129539).
    static func dilutions(of fix: Fix, sequence: UInt8) -> NMEA2000Message {
        let mode: UInt8? =
            switch fix.sentCoordinate == nil ? .noFix : fix.mode {
            case .noFix: nil
            case .twoD: 1
            case .threeD: 2
            }
        var fields = NMEA2000Fields()
        fields.add(byte: sequence)
        fields.add(bits: [(nil, 3), (mode, 3), (nil, 2)])
        fields.add(fix.dilution.hdop, perUnit: 100, signed: true, bytes: 2)
        fields.add(fix.dilution.vdop, perUnit: 100, signed: true, bytes: 2)
        fields.add(nil as Int64?, signed: true, bytes: 2)
        return NMEA2000Message(.dilutions, fields.bytes)
    }

    /// Returns the message with the time (126992), with GNSS as its source.
    static func systemTime(_ time: UTCTime, sequence: UInt8) -> NMEA2000Message {
        var fields = NMEA2000Fields()
        fields.add(byte: sequence)
        fields.add(bits: [(0, 4), (nil, 4)])
        fields.add(date: time.date)
        fields.add(time: time.time)
        return NMEA2000Message(.systemTime, fields.bytes)
    }

    /// Returns the code of the constellations in use that contains most of them: GPS if none of
    /// them has a code. Readers such as n2k 0.5.0 refuse 15, the code for an unknown system.
    private static func system(of view: SatelliteView) -> UInt8 {
        let used = Set(view.signals.lazy.map(\.id).filter(view.used.contains).map(\.constellation))
        let hasGLONASS = used.contains(.glonass)
        if used.contains(.gps) {
            return used.contains(.sbas) ? (hasGLONASS ? 4 : 3) : (hasGLONASS ? 2 : 0)
        }
        return hasGLONASS ? 1 : used.contains(.galileo) ? 8 : 0
    }

    /// Returns the code of the method by which the position was determined. It is 0, no GNSS,
    /// without a position and for positions that are not determined by satellites: dead reckoning,
    /// entered and simulated ones. Readers such as n2k 0.5.0 refuse their codes, 6 to 8.
    private static func method(of fix: Fix, _ isSimulated: Bool) -> UInt8 {
        guard fix.sentCoordinate != nil, !isSimulated else { return 0 }
        return switch fix.quality {
        case .estimated, .manual, .simulated: 0
        case .invalid: 1
        // The codes are those of GGA.
        default: fix.quality.rawValue
        }
    }

    private static func verdict(_ integrity: Integrity?) -> UInt8 {
        switch integrity?.state {
        case .ok: 1
        case .warning: 2
        case .alarm: 3
        case .unknown, nil: 0
        }
    }
}

extension NMEA2000Fields {
    fileprivate mutating func add(date: CalendarDate?) {
        add(date.map { Int64($0.daysSince1970) }, bytes: 2)
    }

    fileprivate mutating func add(time: TimeOfDay?) {
        add(time.map { $0.nanoseconds / 100_000 }, bytes: 4)
    }

    /// Appends the number of reference stations, 0 or 1, and the station's id and age of
    /// corrections if either is known.
    fileprivate mutating func add(correctionsOf fix: Fix) {
        let station = fix.correctionStation.flatMap { 0...4092 ~= $0 ? UInt16($0) : nil }
        guard station != nil || fix.correctionAge != nil, fix.sentCoordinate != nil else {
            return add(byte: 0)
        }
        add(byte: 1)
        // The station's system is not known, and has no code for that which all readers accept: GPS.
        let packed = (station ?? 0xFFF) << 4
        add(byte: UInt8(packed & 0xFF))
        add(byte: UInt8(packed >> 8))
        add(fix.correctionAge, perUnit: 100, bytes: 2)
    }
}

extension Fix {
    /// The position; `nil` without a fix or if it is not valid.
    var sentCoordinate: Coordinate? {
        guard mode > .noFix, let coordinate, coordinate.isValid else { return nil }
        return coordinate
    }

    fileprivate var heightAboveEllipsoid: Double? {
        if let ellipsoidalAltitude { return ellipsoidalAltitude }
        guard let altitude, let geoidSeparation else { return nil }
        return altitude + geoidSeparation
    }
}
