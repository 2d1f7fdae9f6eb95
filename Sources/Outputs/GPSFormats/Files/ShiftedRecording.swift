// SPDX-License-Identifier: MIT
import GNSS
import NMEA
import UBX

/// Copies a receiver's bytes without the place at which it was, so that they can be shown to
/// others; see `PositionShift`.
///
/// Only listed kinds are copied: sentences and messages that contain no position, and those whose
/// positions can be replaced. Altitudes have another origin. Values of the place are removed: the
/// height of the geoid, the magnetic variation, the station of corrections, the time zone.
/// Measurements and the satellites' messages are left out, since a position can be computed from
/// them; so is everything unknown. A satellite keeps its first direction, rounded to 10°: exact ones
/// give the position to some kilometres. A line with a wrong checksum stands for each damaged
/// sentence.
package struct ShiftedRecording: Sendable {
    private var framer: Framer
    private var rules = Rules()

    package init() {
        var options = Framer.Options()
        options.checksum = .acceptMissing
        framer = Framer(options: options)
    }

    /// The number of messages, or bytes, of each kind that were left out.
    package var leftOut: [String: Int] { rules.leftOut }

    /// Adds bytes of the receiver. Returns the bytes to show.
    package mutating func push(_ bytes: [UInt8]) -> [UInt8] {
        // Without a copy of the buffer.
        var framer = exchange(&framer, with: Framer())
        var rules = exchange(&rules, with: Rules())
        var result: [UInt8] = []
        framer.push(bytes.span) { event in
            switch event {
            case .sentence(let sentence): result += rules.copy(sentence)
            case .frame(.ubx, let bytes, _):
                result += rules.copy(UBXFrame(recognised: bytes), bytes)
            case .frame(.rtcm3, _, _): rules.leaveOut("RTCM 3")
            case .frame(.log, let bytes, _): rules.leaveOut("binary logs", bytes.count)
            case .rejected:
                rules.leaveOut("damaged sentences")
                result += "$GPTXT,01,01,02,DAMAGED*00\r\n".utf8
            case .junk(let count): rules.leaveOut("other bytes", count)
            case .tagBlock, .comment: break
            }
        }
        (self.framer, self.rules) = (framer, rules)
        return result
    }
}

/// The kinds of sentences and messages that are copied, and their changes.
private struct Rules: Sendable {
    /// A change of fields, whose index counts from the address.
    private enum Change {
        /// Four fields: latitude, N or S, longitude, E or W; and the altitude.
        case position(Int, altitude: Int?)
        case remove(Int)
        /// Elevation and azimuth of four satellites.
        case directions
        /// Text, which must be known.
        case text(Int)
    }

    /// The sentences that are copied, by their formatter, or by the first two fields, with the
    /// number of fields. The content of others is removed: it may be a position.
    private static let sentences: [String: (fields: Int, changes: [Change])] = [
        "GGA": (15, [.position(2, altitude: 9), .remove(11), .remove(14)]),
        "GNS": (14, [.position(2, altitude: 9), .remove(10), .remove(12)]),
        "RMC": (14, [.position(3, altitude: nil), .remove(10), .remove(11)]),
        "GLL": (8, [.position(1, altitude: nil)]),
        "VTG": (10, [.remove(3)]),
        "ZDA": (7, [.remove(5), .remove(6)]),
        "GSV": (21, [.directions]),
        "TXT": (5, [.text(4)]),
        "GSA": (19, []), "GST": (9, []), "GBS": (11, []), "GRS": (17, []), "HDT": (3, []),
        "THS": (3, []), "ROT": (3, []),
        // The height above the ellipsoid, beside that of GGA, would give that of the geoid.
        "PUBX,00": (21, [.position(3, altitude: nil), .remove(7)]), "PUBX,04": (11, []),
    ]

    /// The beginnings of texts that are copied; others may contain a serial number.
    private static let texts = [
        "ANTSTATUS=", "ANTENNA ", "ANTSUPERV=", "PROTVER=", "FWVER=", "MOD=", "HW ", "EXT CORE ",
        "ROM ", "ROM BASE ", "u-blox ", "DAMAGED",
    ]

    /// The messages that are copied as they are: none has a position, and no configuration, which
    /// may contain the place of a base.
    private static let messages: Set<UBXMessageID> = [
        NavSTATUS.id, NavDOP.id, NavVELNED.id, NavTIMEGPS.id, NavTIMEUTC.id, NavTIMELS.id,
        NavCLOCK.id, NavSIG.id, NavEOE.id, MonVER.id, MonHW.id, MonRF.id, MonCOMMS.id,
    ]

    var leftOut: [String: Int] = [:]
    private var shift = PositionShift()
    /// The first direction of each satellite, in steps of 10°.
    private var directions: [String: (elevation: Int, azimuth: Int)] = [:]

    mutating func leaveOut(_ name: String, _ count: Int = 1) {
        // A hostile receiver may send any number of kinds.
        let name = leftOut.count < 64 || leftOut[name] != nil ? name : "others"
        leftOut[name, default: 0] &+= count
    }

    mutating func copy(_ sentence: borrowing RawSentence) -> [UInt8] {
        let text = String(decoding: sentence.bytes.dropFirst(), as: UTF8.self)
        var fields = text.prefix { $0 != "*" }
            .split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let address = fields.first ?? ""
        let isStandard = if case .standard = sentence.address.kind { true } else { false }
        let name =
            isStandard ? String(address.suffix(3)) : fields.prefix(2).joined(separator: ",")
        guard let known = Self.sentences[name] else {
            leaveOut("sentences \(address)")
            return []
        }
        for index in fields.indices.dropFirst(known.fields) { fields[index] = "" }
        guard known.changes.allSatisfy({ apply($0, to: &fields, of: sentence) }) else {
            leaveOut("sentences \(name) with other fields")
            return []
        }
        let body = fields.joined(separator: ",")
        guard text.contains("*") else { return Array("$\(body)\r\n".utf8) }
        var writer = SentenceWriter()
        writer.write(body: body)
        return writer.bytes
    }

    /// Returns `false` if the fields have an unknown form, which may contain a position.
    private mutating func apply(
        _ change: Change, to fields: inout [String], of sentence: borrowing RawSentence
    ) -> Bool {
        switch change {
        case .remove(let index):
            if fields.indices.contains(index) { fields[index] = "" }
            return true
        case .text(let index):
            guard fields.indices.contains(index) else { return true }
            return Self.texts.contains { fields[index].hasPrefix($0) }
        case .directions:
            for index in stride(from: 4, to: fields.count - 3, by: 4) {
                guard
                    let direction = direction(
                        of: "\(fields[0].prefix(3))\(fields[index])", Int(fields[index + 1]),
                        Int(fields[index + 2]))
                else {
                    (fields[index + 1], fields[index + 2]) = ("", "")
                    continue
                }
                fields[index + 1] = TextBuffer.text {
                    $0.append(integer: direction.elevation, width: 2)
                }
                fields[index + 2] = TextBuffer.text {
                    $0.append(integer: direction.azimuth, width: 3)
                }
            }
            return true
        case .position(let index, let altitude):
            guard fields.indices.contains(index + 3) else { return false }
            let old = Array(fields[index..<index + 4])
            let height = altitude.flatMap { fields.indices.contains($0) ? fields[$0] : nil } ?? ""
            if let altitude, !height.isEmpty { fields[altitude] = "" }
            guard old.contains(where: { !$0.isEmpty }) else { return true }
            var reader = sentence.fields
            reader.skip(index - 1)
            var writer = SentenceWriter()
            writer.isExact = false
            writer.decimals.minutes = Self.decimals(old[0])
            let unit = (0..<writer.decimals.minutes).reduce(60.0) { unit, _ in unit * 10 }
            guard let position = reader.coordinate(),
                let place = shift.shifted(position, step: 1 / unit)
            else { return false }
            writer.coordinate(place)
            let new = String(decoding: writer.bytes.dropFirst(), as: UTF8.self)
            fields.replaceSubrange(
                index..<index + 4, with: new.split(separator: ",").map(String.init))
            if let altitude, let number = Double(height), abs(number) < 1e6,
                let other = shift.shifted(altitude: number, of: position)
            {
                fields[altitude] = String(other, decimals: Self.decimals(height))
            }
            return true
        }
    }

    private static func decimals(_ text: String) -> Int {
        min(text.split(separator: ".").dropFirst().first?.count ?? 0, 9)
    }

    /// The first direction of a satellite; `nil` if it is unknown.
    private mutating func direction(
        of satellite: String, _ elevation: Int?, _ azimuth: Int?
    ) -> (elevation: Int, azimuth: Int)? {
        guard let elevation, let azimuth, -90...90 ~= elevation, 0...360 ~= azimuth else {
            return nil
        }
        if let known = directions[satellite] { return known }
        guard directions.count < 1000 else { return nil }
        let direction = (
            elevation: (elevation + 95) / 10 * 10 - 90, azimuth: (azimuth + 5) / 10 * 10 % 360
        )
        directions[satellite] = direction
        return direction
    }

    mutating func copy(_ frame: borrowing UBXFrame, _ bytes: Span<UInt8>) -> [UInt8] {
        if Self.messages.contains(frame.id) { return bytes.indices.map { bytes[$0] } }
        if let message = NavPVT(frame), let copy = copy(message) { return copy }
        if let message = NavPOSLLH(frame), let copy = copy(message) { return copy }
        if let message = NavHPPOSLLH(frame), let copy = copy(message) { return copy }
        if let message = NavSAT(frame) { return copy(message) }
        if let message = NavSVINFO(frame) { return copy(message) }
        leaveOut("messages \(frame.id.name ?? frame.id.description)")
        return []
    }

    private mutating func copy(_ message: NavPVT) -> [UInt8]? {
        var message = message
        guard move(&message.latitude, &message.longitude, &message.altitude) else { return nil }
        message.ellipsoidalAltitude = message.altitude
        message.magneticDeclination = nil
        return message.frame
    }

    private mutating func copy(_ message: NavPOSLLH) -> [UInt8]? {
        var message = message
        guard move(&message.latitude, &message.longitude, &message.altitude) else { return nil }
        message.ellipsoidalAltitude = message.altitude
        return message.frame
    }

    private mutating func copy(_ message: NavHPPOSLLH) -> [UInt8]? {
        var message = message
        var (latitude, longitude) = (message.latitude, message.longitude)
        var altitude = message.altitude
        guard move(&latitude, &longitude, &altitude, step: 1e-9) else { return nil }
        message.coarseLatitude = Int32((latitude * 1e7).rounded())
        message.coarseLongitude = Int32((longitude * 1e7).rounded())
        message.coarseAltitude = Int32(clamping: Int(nearest: altitude * 1000))
        message.coarseEllipsoidalAltitude = message.coarseAltitude
        (message.fineLatitude, message.fineLongitude) = (0, 0)
        (message.fineAltitude, message.fineEllipsoidalAltitude) = (0, 0)
        return message.frame
    }

    /// Moves a position, in degrees and metres. Returns `false` if it is not valid.
    private mutating func move(
        _ latitude: inout Double, _ longitude: inout Double, _ altitude: inout Double,
        step: Double = 1e-7
    ) -> Bool {
        let old = Coordinate(latitude: latitude, longitude: longitude)
        guard let place = shift.shifted(old, step: step) else { return false }
        (latitude, longitude) = (place.latitude, place.longitude)
        altitude = shift.shifted(altitude: altitude, of: old) ?? 0
        return true
    }

    private mutating func copy(_ message: NavSAT) -> [UInt8] {
        var message = message
        for index in message.satellites.indices {
            var satellite = message.satellites[index]
            turn(
                "\(satellite.gnssID) \(satellite.svid)", &satellite.elevation,
                &satellite.azimuth)
            message.satellites[index] = satellite
        }
        return message.frame
    }

    private mutating func copy(_ message: NavSVINFO) -> [UInt8] {
        var message = message
        for index in message.satellites.indices {
            var satellite = message.satellites[index]
            turn("\(satellite.number)", &satellite.elevation, &satellite.azimuth)
            message.satellites[index] = satellite
        }
        return message.frame
    }

    /// Replaces a direction in degrees by the first one of the satellite.
    private mutating func turn(
        _ satellite: String, _ elevation: inout Double?, _ azimuth: inout Int16
    ) {
        let first = direction(
            of: satellite, elevation.map { Int(nearest: $0) }, Int(azimuth))
        elevation = first.map { Double($0.elevation) }
        azimuth = Int16(first?.azimuth ?? 0)
    }
}
