// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats
import GPSTestTraits
import Testing

/// The bytes were encoded from the same values by another program, from the published fields. Only the
/// last digit of a latitude was corrected, which that program rounds differently.
@Suite(.timeLimit(.generous))
struct NMEA2000MessageTests {
    private let now = MonotonicInstant.now

    private static var fix: Fix {
        var fix = Fix()
        fix.time = UTCTime(iso8601: "2040-03-21T12:00:00.500Z")
        (fix.mode, fix.quality) = (.threeD, .rtkFixed)
        fix.coordinate = Coordinate(latitude: 48.2, longitude: -16.36)
        (fix.ellipsoidalAltitude, fix.geoidSeparation) = (215.25, 44)
        (fix.speed, fix.course) = (2.5, 180)
        fix.dilution = DilutionOfPrecision(hdop: 0.8, vdop: 1.2, pdop: 1.5)
        fix.satellitesUsed = 12
        (fix.correctionAge, fix.correctionStation) = (2.5, 1023)
        fix.integrity = Integrity(state: .ok)
        return fix
    }

    private static var view: SatelliteView {
        var view = SatelliteView()
        let ids = [(Constellation.gps, 5), (.glonass, 8), (.galileo, 3)]
        let places: [(Double?, Double?, Double?)] = [(45, 180, 40.5), (-1, 10, nil), (30, 90, 35)]
        for ((constellation, svid), place) in zip(ids, places) {
            guard let id = SatelliteID(constellation, svid) else { continue }
            view.signals.append(
                SatelliteSignal(id: id, elevation: place.0, azimuth: place.1, cn0: place.2))
        }
        if let first = view.signals.first { view.used.insert(first.id) }
        return view
    }

    /// Returns the bytes of the messages about an epoch in hexadecimal, by the number of the group.
    private func bytes(
        _ fix: Fix, _ view: SatelliteView = Self.view, origin: DataOrigin = .live
    ) -> [UInt32: String] {
        var reports = NMEA2000Writer()
        let messages = reports.messages(
            of: fix, view, origin: origin, clockTime: fix.time, at: now)
        return Dictionary(
            uniqueKeysWithValues: messages.map { ($0.group.rawValue, Self.hexadecimal($0.bytes)) })
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { String(hexadecimal: UInt64($0), width: 2).uppercased() }.joined(separator: " ")
    }

    @Test func `an epoch has the bytes of the published fields`() {
        let bytes = bytes(Self.fix)
        #expect(bytes[129025] == "80 BC BA 1C 80 A9 3F F6")
        #expect(bytes[129026] == "01 FC B8 7A FA 00 FF FF")
        #expect(
            bytes[129029]
                == "01 2F 64 88 DF BF 19 00 00 BD 3D 72 68 B0 06 00 00 BF B2 AA C6 BA FD 50 74 D4 0C "
                + "00 00 00 00 40 FD 0C 50 00 96 00 30 11 00 00 01 F0 3F FA 00")
        #expect(bytes[129539] == "01 D7 50 00 78 00 FF 7F")
        #expect(bytes[126992] == "01 F0 2F 64 88 DF BF 19")
    }

    @Test func `a fix in an integrity alarm is sent as unsafe, without its date and time`() {
        var fix = Self.fix
        fix.integrity = Integrity(state: .alarm)
        let text = bytes(fix)[129029] ?? ""
        #expect(text.hasPrefix("01 FF FF FF FF FF FF 00 00 BD 3D 72 68 B0 06 "), "\(text)")
        #expect(text.contains(" 40 FF 0C "), "\(text)")
    }

    @Test func `satellites whose numbers belong to several constellations are left out`() {
        #expect(
            bytes(Self.fix)[129540]
                == "01 FF 02 05 AE 1E B8 7A D2 0F FF FF FF 7F 02 48 51 FF D1 06 FF 7F FF FF FF 7F 10"
        )
    }

    @Test func `a message has room for eighteen satellites, those used first`() {
        var view = SatelliteView()
        for svid in 1...32 {
            guard let id = SatelliteID(.gps, svid) else { continue }
            view.signals.append(SatelliteSignal(id: id, elevation: 10, azimuth: 20, cn0: 30))
            if svid == 32 { view.used.insert(id) }
        }
        let text = bytes(Self.fix, view)[129540] ?? ""
        #expect(text.hasPrefix("01 FF 12 20 "))
        #expect(text.split(separator: " ").count == 3 + 18 * 12)
    }

    // n2k 0.5.0 refuses the systems above 8 and the methods above 5.
    @Test(arguments: [
        ([Constellation.beiDou], 0), ([.gps, .galileo, .beiDou], 0),
        ([.gps, .glonass, .galileo], 2),
        ([.glonass, .beiDou], 1), ([.galileo, .beiDou], 8), ([.gps, .sbas, .galileo], 3), ([], 0),
    ])
    func `the system and the method have codes that readers accept`(
        used: [Constellation], code: Int
    ) throws {
        var view = SatelliteView()
        for constellation in used {
            let id = try #require(SatelliteID(constellation, constellation == .sbas ? 123 : 5))
            view.signals.append(SatelliteSignal(id: id, elevation: 10, azimuth: 20, cn0: 30))
            view.used.insert(id)
        }
        for quality in FixQuality.allCases {
            var fix = Self.fix
            fix.quality = quality
            let text = try #require(bytes(fix, view)[129029])
            let byte = try #require(
                Int(text.split(separator: " ")[31], radix: 16))
            // A simulated fix has no satellites.
            #expect(byte & 0xF == (quality == .simulated ? 0 : code), "\(text)")
            #expect(byte >> 4 <= 5, "\(text)")
        }
    }

    @Test func `a value that is not known has all bits set`() {
        var fix = Fix()
        fix.mode = .twoD
        fix.coordinate = Coordinate(latitude: 0, longitude: 0)
        let bytes = bytes(fix, SatelliteView())
        #expect(bytes[129025] == "00 00 00 00 00 00 00 00")
        #expect(bytes[129026] == "01 FF FF FF FF FF FF FF")
        #expect(
            bytes[129029]
                == "01 FF FF FF FF FF FF 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 "
                + "FF FF FF FF FF FF FF 7F 10 FC FF FF 7F FF 7F FF FF FF 7F 00")
        #expect(bytes[129539] == "01 CF FF 7F FF 7F FF 7F")
        #expect(bytes[126992] == nil)
        #expect(bytes[129540] == "01 FF 00")
    }

    @Test(arguments: [Double.nan, .infinity, -1, 656, 1e300])
    func `a value that does not fit into its field is not sent`(speed: Double) {
        var fix = Self.fix
        fix.speed = speed
        #expect(bytes(fix)[129026] == "01 FC B8 7A FF FF FF FF")
    }

    @Test func `a position outside the Earth is not sent`() {
        var fix = Self.fix
        fix.coordinate = Coordinate(latitude: 91, longitude: 0)
        #expect(bytes(fix)[129025] == "FF FF FF 7F FF FF FF 7F")
    }

    @Test func `a course just below 360 degrees is not a full circle`() {
        var fix = Self.fix
        fix.course = 359.9999
        #expect(bytes(fix)[129026]?.hasPrefix("01 FC 6F F5") == true)
    }

    @Test func `an altitude above mean sea level needs the geoid to be sent`() {
        var fix = Self.fix
        (fix.ellipsoidalAltitude, fix.altitude) = (nil, 171.25)
        #expect(bytes(fix)[129029] == bytes(Self.fix)[129029])
        fix.geoidSeparation = nil
        #expect(bytes(fix)[129029]?.contains("FF FF FF FF FF FF FF 7F 40") == true)
        fix = Self.fix
        fix.mode = .twoD
        #expect(bytes(fix)[129029]?.contains("FF FF FF FF FF FF FF 7F 40") == true)
    }

    @Test func `a date that was corrected is not sent`() {
        var fix = Self.fix
        fix.receivedDate = CalendarDate(year: 2006, month: 8, day: 5)
        #expect(bytes(fix)[129029]?.hasPrefix("01 FF FF 88 DF BF 19") == true)
    }

    @Test func `a live receiver's date before this release is not sent, that of a recording is`()
        throws
    {
        let day = try #require(CalendarDate(daysSince1970: Release.daysSince1970 - 2))
        var fix = Self.fix
        fix.time = UTCTime(date: day, time: try #require(fix.time).time)
        #expect(bytes(fix)[129029]?.hasPrefix("01 FF FF 88 DF BF 19") == true)
        #expect(bytes(fix, origin: .replay)[129029]?.hasPrefix("01 FF FF") == false)
        fix.time = Self.fix.time
        #expect(bytes(fix)[129029]?.hasPrefix("01 FF FF") == false)
    }

    @Test(arguments: [DataOrigin.simulated, .replay])
    func `only the complete fix has data that is not live, marked as not from satellites`(
        origin: DataOrigin
    ) {
        let bytes = bytes(Self.fix, origin: origin)
        #expect(bytes[129025] == "FF FF FF 7F FF FF FF 7F")
        #expect(bytes[129026] == "01 FF FF FF FF FF FF FF")
        #expect(bytes[129539] == "01 FF FF 7F FF 7F FF 7F")
        #expect(bytes[129540] == "01 FF 00")
        #expect(bytes[126992] == nil)
        #expect(bytes[129029]?.contains("00 00 00 00 00 FD") == true)
    }

    @Test func `data of unknown origin is not sent`() {
        let bytes = bytes(Self.fix, origin: .unknown)
        #expect(bytes[129025] == "FF FF FF 7F FF FF FF 7F")
        #expect(bytes[129029]?.hasPrefix("01 FF FF FF FF FF FF FF FF FF FF FF FF FF 7F") == true)
        #expect(bytes[126992] == nil)
    }

    @Test func `a fast packet has numbered frames filled with ones`() {
        let message = NMEA2000Message(.satellites, Array(0..<20))
        let frames = message.frames(from: 35, sequence: 2)
        #expect(
            frames.map { Self.hexadecimal($0.bytes) } == [
                "40 14 00 01 02 03 04 05", "41 06 07 08 09 0A 0B 0C", "42 0D 0E 0F 10 11 12 13",
            ])
        let short = NMEA2000Message(.satellites, [1, 255, 0]).frames(from: 35, sequence: 9)
        #expect(short.map { Self.hexadecimal($0.bytes) } == ["20 03 01 FF 00 FF FF FF"])
    }

    @Test func `an identifier has the priority, the group, the source and the destination`() {
        let frame = NMEA2000Message(.gnssPosition, [1]).frames(from: 35, sequence: 0).first
        #expect(frame?.identifier == 0x0DF8_0523)
        let request = NMEA2000Frame(
            priority: 6, group: 59904, source: 35, destination: 7, bytes: [0, 0xEE, 0])
        #expect(request.identifier == 0x18EA_0723)
        #expect(NMEA2000Frame(identifier: 0x18EA_0723, bytes: [0, 0xEE, 0]) == request)
    }
}
