// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats
import GPSTestTraits
import Glibc
import Testing

/// The conversion of every format to every other one and back, by the table of docs/converting.md.
@Suite(.timeLimit(.generous))
struct RoundTripTests {
    /// The values of a property, with the differences that its notation allows; `nil` if unknown.
    private struct Property: Sendable {
        let name: String
        let tolerance: Double
        let values: @Sendable (Reading.Entry) -> [Double]?

        init(
            _ name: String, _ tolerance: Double,
            _ values: @escaping @Sendable (Reading.Entry) -> [Double]?
        ) {
            self.name = name
            self.tolerance = tolerance
            self.values = values
        }
    }

    private static func all(_ values: Double?...) -> [Double]? {
        let known = values.compactMap { $0 }
        return known.count == values.count ? known : nil
    }

    private static let properties: [Property] = [
        Property("position", 2e-9) {
            $0.fix.coordinate.map { [$0.latitude, $0.longitude] }
        },
        Property("time", 0) { $0.fix.time.map { [Double($0.unixNanoseconds)] } },
        Property("altitude", 0.001) { all($0.fix.altitude) },
        Property("altitude above the ellipsoid", 0.002) { all($0.fix.ellipsoidalAltitude) },
        Property("geoid separation", 0.002) { all($0.fix.geoidSeparation) },
        Property("speed", 0.001) { all($0.fix.speed) },
        Property("course", 0.001) { all($0.fix.course) },
        Property("climb", 0.001) { all($0.fix.climb) },
        Property("magnetic course", 0.001) { all($0.fix.magneticCourse) },
        Property("magnetic variation", 0.1) { all($0.fix.magneticVariation) },
        Property("2D or 3D", 0) { [Double($0.fix.mode.rawValue)] },
        Property("quality", 0) { [Double($0.fix.quality.rawValue)] },
        Property("simulated", 0) { [$0.fix.quality == .simulated ? 1 : 0] },
        Property("satellites used", 0) { $0.fix.satellitesUsed.map { [Double($0)] } },
        Property("DOPs", 0.01) {
            all($0.fix.dilution.hdop, $0.fix.dilution.vdop, $0.fix.dilution.pdop)
        },
        Property("accuracy", 0.002) {
            all($0.fix.accuracy.horizontal, $0.fix.accuracy.vertical)
        },
        Property("standard deviations", 0.001) {
            let sigma = $0.fix.standardDeviation
            return all(
                sigma.latitude, sigma.longitude, sigma.altitude, sigma.semiMajor,
                sigma.semiMinor, sigma.orientation, sigma.range)
        },
        Property("corrections' age and station", 0.1) {
            all($0.fix.correctionAge, $0.fix.correctionStation.map { Double($0) })
        },
        Property("attitude", 0.001) {
            let attitude = $0.fix.attitude
            return all(attitude.heading, attitude.pitch, attitude.roll, attitude.rateOfTurn)
        },
        Property("segments", 0) { [Double($0.segment)] },
    ]

    /// The table: for each property the formats and their cells.
    private static let table: [String: [String: String]] = {
        let page = (try? PackageFile.text("docs/converting.md")) ?? ""  // missing: no rows
        var lines = page.split(separator: "\n").drop { $0 != "### What each format can hold" }
            .drop { !$0.hasPrefix("|") }.prefix { $0.hasPrefix("|") }
            .map { cells($0) }
        let formats = lines.removeFirst().map { names($0.filter { $0 != "`" }) }
        var table: [String: [String: String]] = [:]
        for line in lines.dropFirst() {
            let cells = zip(formats, line).dropFirst().flatMap { formats, cell in
                formats.map { ($0, cell) }
            }
            for property in names(line[0]) {
                table[property] = Dictionary(cells, uniquingKeysWith: { first, _ in first })
            }
        }
        return table
    }()

    /// The formats of a column, or the properties of a row.
    private static func names(_ cell: String) -> [String] {
        cell.split(separator: ", ").map(String.init)
    }

    private static func cells(_ line: Substring) -> [String] {
        line.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false)
            .map { $0.split(separator: " ").joined(separator: " ") }
    }

    /// Fixes with all values known, in two segments.
    private static func full(isSimulated: Bool) -> Reading {
        var reading = Reading([])
        for index in 0..<8 {
            let step = Double(index)
            var fix = Fix()
            fix.time = UTCTime(
                unixNanoseconds: 1_774_094_400_250_000_000 + Int64(index) * 1_000_000_000)
            fix.timeOfDay = fix.time?.time
            fix.coordinate = Coordinate(
                latitude: 48.207_490_333 + step * 1.234e-5, longitude: -16.363_383_667 - step * 2e-5
            )
            fix.mode = index == 3 ? .twoD : .threeD
            fix.quality = isSimulated ? .simulated : index % 2 == 0 ? .differential : .autonomous
            if fix.mode == .threeD {
                fix.altitude = 171.345 + step
                fix.geoidSeparation = 43.4
                fix.ellipsoidalAltitude = 214.745 + step
                fix.climb = 0.125 * step - 0.25
                fix.accuracy.vertical = 6
                fix.standardDeviation.altitude = 6
            }
            fix.speed = 10.049 + step / 7
            fix.speed = fix.speed.map { ($0 * 1000).rounded() / 1000 }
            fix.course = 359.5 - step * 40.125
            fix.magneticVariation = -4.2
            fix.magneticCourse = (359.5 - step * 40.125 + 4.2).truncatingRemainder(dividingBy: 360)
            fix.satellitesUsed = 8 + index
            fix.dilution = DilutionOfPrecision(hdop: 0.92, vdop: 1.19, pdop: 1.5)
            fix.accuracy.horizontal = 5.35
            fix.standardDeviation.latitude = 3
            fix.standardDeviation.longitude = 4
            fix.standardDeviation.semiMajor = 4.5
            fix.standardDeviation.semiMinor = 2.5
            fix.standardDeviation.orientation = 77.5
            fix.standardDeviation.range = 3.25
            fix.correctionAge = 1.5
            fix.correctionStation = 120
            fix.attitude.heading = 12.5
            fix.attitude.pitch = -1.25
            fix.attitude.roll = 2.5
            fix.attitude.rateOfTurn = 0.5
            reading.entries.append(Reading.Entry(fix: fix, segment: index < 5 ? 1 : 2))
        }
        return reading
    }

    private static var formats: [any OutputFormat.Type] { OutputFormats.all }

    private func expectSame(
        _ property: Property, _ a: Reading, _ b: Reading, _ way: String
    ) {
        #expect(a.entries.count == b.entries.count, "\(way)")
        for (index, (x, y)) in zip(a.entries, b.entries).enumerated() {
            guard let expected = property.values(x) else { continue }
            let actual = property.values(y)
            let isSame =
                actual.map { zip($0, expected).allSatisfy { abs($0 - $1) <= property.tolerance } }
                ?? false
            #expect(
                isSame,
                "\(property.name) of fix \(index), \(way): \(expected) became \(actual ?? [])")
            if !isSame { return }
        }
    }

    @Test func `the table of the documentation has every property and every format`() {
        let names = Self.properties.map(\.name) + ["satellites in view"]
        #expect(Set(Self.table.keys) == Set(names))
        for (name, row) in Self.table {
            let missing = Set(OutputFormats.names).symmetricDifference(row.keys)
            #expect(missing == [], "docs/converting.md, What each format can hold: \(name)")
            #expect(row.values.allSatisfy { ["yes", "no", "in part"].contains($0) }, "\(name)")
        }
    }

    @Test(arguments: OutputFormats.names)
    func `a format states whether it can store an altitude above the ellipsoid`(
        _ name: String
    ) throws {
        let format = try #require(OutputFormats.named(name))
        let stores = format.traits.storesEllipsoidalAltitude
        switch Self.table["altitude above the ellipsoid"]?[name] {
        case "yes": #expect(stores)
        case "no": #expect(!stores)
        default: break
        }
    }

    @Test(arguments: OutputFormats.names, [false, true])
    func `a format keeps the properties of the table and adds none`(
        _ name: String, _ isSimulated: Bool
    ) throws {
        let format = try #require(OutputFormats.named(name))
        let full = Self.full(isSimulated: isSimulated)
        let read = Reading(full.written(as: format))
        #expect(read.error == nil)
        for property in Self.properties {
            switch Self.table[property.name]?[name] {
            case "yes": expectSame(property, full, read, "in \(name)")
            case "no" where property.name != "segments":
                let values = read.entries.compactMap(property.values)
                #expect(values.isEmpty, "\(property.name) in \(name)")
            default: break
            }
        }
    }

    @Test(arguments: OutputFormats.names, OutputFormats.names)
    func `properties of both formats survive a round trip`(
        _ name: String, _ other: String
    ) throws {
        let format = try #require(OutputFormats.named(name))
        let there = try #require(OutputFormats.named(other))
        let hasTimes = [name, other].allSatisfy { Self.table["time"]?[$0] != "no" }
        guard hasTimes || !format.traits.needsDate && !there.traits.needsDate else { return }
        for isSimulated in [false, true] {
            let first = Reading(Self.full(isSimulated: isSimulated).written(as: format))
            let second = Reading(first.written(as: there))
            let back = Reading(second.written(as: format))
            for property in Self.properties {
                let row = Self.table[property.name] ?? [:]
                guard row[name] == "yes", row[other] == "yes" else { continue }
                // A line of KML without times ends where an altitude is unknown. KML's altitudes
                // are modelled if the other format has only those above the ellipsoid.
                if property.name == "segments", !hasTimes, other == "kml" { continue }
                expectSame(property, first, back, "\(name) to \(other) and back")
            }
        }
    }

    @Test func `gpsd's own estimates survive in JSON`() throws {
        let json = """
            {"class":"TPV","device":"gps","mode":3,"time":"2026-03-21T12:00:00.000Z","lat":48.200000000,\
            "lon":16.400000000,"altMSL":171.0000,"epv":23.000,"eph":15.200,"sep":24.700}

            """
        let written = Reading(json).written(as: GPSDFormat.self)
        let text = String(decoding: written, as: UTF8.self)
        for member in [#""epv":23.000"#, #""eph":15.200"#, #""sep":24.700"#] {
            #expect(text.contains(member), "\(text)")
        }
        #expect(Reading(written).written(as: GPSDFormat.self) == written)
    }

    @Test(arguments: ["json", "nmea"])
    func `satellites in view survive`(_ name: String) throws {
        let format = try #require(OutputFormats.named(name))
        var full = Self.full(isSimulated: false)
        var used = SatelliteIDSet()
        let ids = [SatelliteID(.gps, 5), SatelliteID(.sbas, 123), SatelliteID(.galileo, 7)]
        var signals: [SatelliteSignal] = []
        for id in ids.compactMap({ $0 }) {
            signals.append(SatelliteSignal(id: id, elevation: 42, azimuth: 271, cn0: 38))
            if id.constellation != .sbas { used.insert(id) }
        }
        for entry in full.entries {
            full.views.append(SatelliteView(signals: signals, used: used, time: entry.fix.time))
        }
        let read = Reading(full.written(as: format))
        #expect(read.entries.count == full.entries.count)
        let view = try #require(read.views.last)
        #expect(Set(view.satellites.map(\.id)) == Set(signals.map(\.id)))
        #expect(view.satellites.allSatisfy { $0.cn0 == 38 && $0.azimuth == 271 })
        // In NMEA the used satellites belong to the fix.
        if name == "json" { #expect(view.used == used) }
    }

    @Test(arguments: OutputFormats.all.filter { !$0.traits.needsDate }.map { $0.name })
    func `a position without a time stays without one`(_ name: String) throws {
        let format = try #require(OutputFormats.named(name))
        var reading = Reading([])
        for index in 0..<3 {
            var fix = Fix()
            fix.coordinate = Coordinate(latitude: 48 + Double(index) / 8, longitude: 16)
            fix.mode = .twoD
            fix.quality = .autonomous
            reading.entries.append(Reading.Entry(fix: fix, segment: 1))
        }
        let read = Reading(reading.written(as: format))
        #expect(read.fixes.compactMap(\.coordinate) == reading.fixes.compactMap(\.coordinate))
        #expect(read.fixes.allSatisfy { $0.time == nil && $0.altitude == nil })
    }

    @Test func `a fix without a time stays one before a fix whose year NMEA writes separately`() {
        let times = ["", "1975-03-21T12:00:01.000Z", "", "2085-03-21T12:00:03.000Z"]
        let rows = times.enumerated().map { "\($1),48.\($0 * 125),16\n" }.joined()
        let reading = Reading("time,lat,lon\n\(rows)")
        let read = Reading(reading.written(as: NMEAFormat.self))
        #expect(read.fixes.map { $0.time?.description ?? "" } == times)
        #expect(read.fixes.map(\.coordinate) == reading.fixes.map(\.coordinate))
    }
}
