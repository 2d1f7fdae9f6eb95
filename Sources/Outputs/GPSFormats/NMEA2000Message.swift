// SPDX-License-Identifier: MIT
import GNSS

/// A message of NMEA 2000. It consists of one frame or, if it is a *fast packet*, of several
/// frames.
package struct NMEA2000Message: Equatable, Sendable {
    /// The parameter groups that are sent or received, by number (PGN).
    package enum Group: UInt32, CaseIterable, Sendable {
        case acknowledgement = 59392
        case request = 59904
        case addressClaim = 60928
        case groupList = 126464
        case systemTime = 126992
        case heartbeat = 126993
        case productInformation = 126996
        case position = 129025
        case courseAndSpeed = 129026
        case gnssPosition = 129029
        case dilutions = 129539
        case satellites = 129540

        /// Whether messages of the group are fast packets.
        var isFast: Bool {
            switch self {
            case .groupList, .productInformation, .gnssPosition, .satellites: true
            default: false
            }
        }

        /// The default priority, 0 (highest) to 7.
        var priority: UInt8 {
            switch self {
            case .position, .courseAndSpeed: 2
            case .systemTime, .gnssPosition: 3
            case .heartbeat: 7
            default: 6
            }
        }

        /// Whether this program receives messages of the group but does not send them.
        var isReceivedOnly: Bool { self == .request }
    }

    /// The maximum size of a fast packet in bytes.
    private static let maximumSize = 223

    /// The parameter group.
    package let group: Group
    /// The address of the receiving device.
    private let destination: UInt8
    /// The fields, at most 8 bytes or, for a fast packet, 223 bytes.
    package let bytes: [UInt8]

    package init(
        _ group: Group, to destination: UInt8 = NMEA2000Frame.globalAddress, _ bytes: [UInt8]
    ) {
        (self.group, self.destination) = (group, destination)
        self.bytes = Array(bytes.prefix(group.isFast ? Self.maximumSize : 8))
    }

    /// Returns the frames of the message. `sequence`, 0 to 7, distinguishes a fast packet from the
    /// previous one of its group.
    package func frames(from source: UInt8, sequence: UInt8) -> [NMEA2000Frame] {
        guard group.isFast else { return [frame(bytes, source)] }
        let prefix = (sequence & 7) << 5
        var frames = [frame([prefix, UInt8(bytes.count)] + bytes.prefix(6), source)]
        var rest = bytes.dropFirst(6)
        while !rest.isEmpty {
            let counter = UInt8(truncatingIfNeeded: frames.count)
            frames.append(frame([prefix | counter] + rest.prefix(7), source))
            rest = rest.dropFirst(7)
        }
        return frames
    }

    /// Returns a frame whose unused bytes are 255.
    private func frame(_ bytes: [UInt8], _ source: UInt8) -> NMEA2000Frame {
        let filler = [UInt8](repeating: 0xFF, count: max(0, 8 - bytes.count))
        return NMEA2000Frame(
            priority: group.priority, group: group.rawValue, source: source,
            destination: destination, bytes: bytes + filler)
    }
}

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
        // The codes are the states' numbers.
        fields.add(bits: [(fix.integrity.map { UInt8($0.state.number) } ?? 0, 2), (nil, 6)])
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

extension NMEA2000Message {
    /// The maximum number of satellites in a message.
    private static let satelliteLimit = 18

    /// Returns the message with the satellites in view (129540): first the satellites used, then
    /// the others, each group sorted by signal strength (strongest first). Satellites without an
    /// unambiguous number are omitted.
    static func satellites(_ view: SatelliteView, sequence: UInt8) -> NMEA2000Message {
        let numbered = view.satellites.compactMap { satellite in
            number(of: satellite.id).map { (satellite: satellite, number: $0) }
        }
        let sorted = numbered.sorted { a, b in
            let (a, b) = (a.satellite, b.satellite)
            return a.isUsed != b.isUsed ? a.isUsed : (a.cn0 ?? -1) > (b.cn0 ?? -1)
        }.prefix(satelliteLimit)
        var fields = NMEA2000Fields()
        fields.add(byte: sequence)
        fields.add(bits: [(nil, 2), (nil, 6)])
        fields.add(Int64(sorted.count), bytes: 1)
        for (satellite, number) in sorted { fields.add(satellite, number) }
        return NMEA2000Message(.satellites, fields.bytes)
    }

    /// Returns the number of a satellite: GPS from 1, SBAS from 33, GLONASS from 65, QZSS from 193;
    /// `nil` for other constellations.
    private static func number(of id: SatelliteID) -> UInt8? {
        switch id.constellation {
        case .gps where id.svid <= 32: id.svid
        case .sbas where 120...151 ~= id.svid: id.svid - 87
        case .glonass where id.svid <= 32: id.svid + 64
        case .qzss where id.svid <= 10: id.svid + 192
        default: nil
        }
    }
}

extension NMEA2000Fields {
    fileprivate mutating func add(_ satellite: Satellite, _ number: UInt8) {
        let system: UInt8? =
            switch satellite.id.constellation {
            case .gps: 0
            case .glonass: 1
            case .qzss: 4
            default: nil
            }
        let status: UInt8 = satellite.isUsed ? 2 : satellite.cn0 == nil ? 0 : 1
        add(byte: number)
        add(satellite.elevation?.radians, perUnit: 1e4, signed: true, bytes: 2)
        add(satellite.azimuth?.radians, perUnit: 1e4, bytes: 2)
        add(satellite.cn0, perUnit: 100, signed: true, bytes: 2)
        add(nil as Int64?, signed: true, bytes: 4)
        add(bits: [(status, 4), (system, 4)])
    }
}

/// Writes the fields of a message, lowest byte first.
///
/// A value that is `nil` or does not fit into its field is written as *not available*, the highest
/// number of the field. The two numbers below it are reserved.
struct NMEA2000Fields {
    private(set) var bytes: [UInt8] = []

    /// Appends a number in `count` bytes, multiplied by `scale` and rounded.
    mutating func add(
        _ value: Double?, perUnit scale: Double, signed isSigned: Bool = false, bytes count: Int
    ) {
        add(
            value.flatMap { Int64(exactly: ($0 * scale).rounded()) }, signed: isSigned,
            bytes: count)
    }

    /// Appends an integer in `count` bytes.
    mutating func add(_ value: Int64?, signed isSigned: Bool = false, bytes count: Int) {
        let absent = UInt64.max >> (64 - count * 8 + (isSigned ? 1 : 0))
        let isValid = value.map { $0.magnitude <= absent - 3 && (isSigned || $0 >= 0) } ?? false
        append(isValid ? value.map { UInt64(bitPattern: $0) } ?? absent : absent, count)
    }

    /// Appends a byte, such as a sequence id; `nil` is written as 255.
    mutating func add(byte: UInt8?) {
        bytes.append(byte ?? 0xFF)
    }

    /// Appends a byte that consists of several values, the lowest bits first. `nil`, also for
    /// reserved bits, is written as ones.
    mutating func add(bits fields: [(value: UInt8?, count: Int)]) {
        var byte: UInt8 = 0
        var used = 0
        for field in fields {
            let mask = UInt8.max >> (8 - field.count)
            byte |= ((field.value ?? mask) & mask) << used
            used += field.count
        }
        bytes.append(byte)
    }

    /// Appends ASCII text in `count` bytes, truncated or padded with bytes of 255.
    mutating func add(text: String, bytes count: Int) {
        let text = text.utf8.map { 0x20..<0x7F ~= $0 ? $0 : UInt8(ascii: "?") }.prefix(count)
        bytes += text + [UInt8](repeating: 0xFF, count: count - text.count)
    }

    /// Appends reserved bytes of 255.
    mutating func addReserved(bytes count: Int) {
        bytes += [UInt8](repeating: 0xFF, count: count)
    }

    /// Appends the number of a parameter group (PGN), in three bytes.
    mutating func add(_ group: UInt32) {
        append(UInt64(group), 3)
    }

    private mutating func append(_ value: UInt64, _ count: Int) {
        for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
    }
}

/// A frame of an NMEA 2000 bus: at most eight bytes of a message.
package struct NMEA2000Frame: Equatable, Sendable {
    /// The global address: the destination of a message to all devices.
    static let globalAddress: UInt8 = 255
    /// The null address: the source of a message from a device that has no address.
    static let nullAddress: UInt8 = 254
    /// The highest address that a device can have.
    static let lastAddress: UInt8 = 251

    /// The priority, 0 (highest) to 7.
    package var priority: UInt8
    /// The parameter group number (PGN) of the message.
    package var group: UInt32
    /// The address of the sender.
    package var source: UInt8
    /// The address of the receiving device; ``globalAddress`` unless the group has a destination.
    var destination: UInt8
    /// The data bytes of the frame, at most eight.
    package var bytes: [UInt8]

    package init(
        priority: UInt8, group: UInt32, source: UInt8, destination: UInt8, bytes: [UInt8]
    ) {
        (self.priority, self.group, self.source) = (priority, group, source)
        (self.destination, self.bytes) = (destination, bytes)
    }

    /// Creates a frame from its 29-bit identifier on the bus.
    package init(identifier: UInt32, bytes: [UInt8]) {
        let group = identifier >> 8 & 0x3FFFF
        let isAddressed = Self.isAddressed(group)
        self.init(
            priority: UInt8(identifier >> 26 & 7), group: isAddressed ? group & 0x3FF00 : group,
            source: UInt8(identifier & 0xFF),
            destination: isAddressed ? UInt8(group & 0xFF) : Self.globalAddress, bytes: bytes)
    }

    /// The 29-bit identifier on the bus.
    package var identifier: UInt32 {
        let low = Self.isAddressed(group) ? UInt32(destination) : 0
        return UInt32(priority & 7) << 26 | (group | low) << 8 | UInt32(source)
    }

    /// Returns whether the messages of a group have a destination (PDU1 format). The identifier
    /// then contains the destination in the lowest byte of the group number.
    private static func isAddressed(_ group: UInt32) -> Bool { group >> 8 & 0xFF < 240 }
}
