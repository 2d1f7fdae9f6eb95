// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import SimulatedDevices
import Testing

@Suite(.timeLimit(.generous))
struct SkyTests {
    private static let vienna = Coordinate(latitude: 48.2066, longitude: 16.3634)
    /// 20 November 2026, 00:00 UTC.
    private static let start = 9_819.5

    private func sightings(
        _ constellations: [Constellation], _ days: Double, at place: Coordinate = vienna
    ) -> [Sighting] {
        SimulatedSky(constellations).sightings(from: place, height: 200, daysSinceJ2000: days)
    }

    private func angle(_ a: Sighting, _ b: Sighting) -> Double {
        90 - PortableMath.asin(a.direction.dot(b.direction)) * 180 / .pi
    }

    @Test(arguments: [
        (Constellation.gps, 31, 20_180.0...20_190.0), (.glonass, 24, 19_125...19_135),
        (.galileo, 24, 23_220...23_230), (.beiDou, 30, 21_520...35_800),
        (.qzss, 4, 32_000...39_000), (.sbas, 17, 35_780...35_800), (.navIC, 0, 0...0),
    ])
    func `each constellation has its number and its heights, in kilometres`(
        _ constellation: Constellation, _ count: Int, _ heights: ClosedRange<Double>
    ) {
        let orbits = NominalConstellation.orbits(of: constellation)
        #expect(orbits.count == count)
        #expect(Set(orbits.map(\.id)).count == count)
        for orbit in orbits {
            for hour in 0..<24 {
                let days = Self.start + Double(hour) / 24
                let height = orbit.position(daysSinceJ2000: days).length / 1000 - 6378.137
                #expect(heights.contains(height), "\(orbit.id) \(height)")
            }
        }
    }

    @Test(arguments: [(Constellation.gps, 1.0), (.beiDou, 7), (.glonass, 8), (.galileo, 10)])
    func `a ground track repeats after a number of sidereal days`(
        _ constellation: Constellation, _ turns: Double
    ) throws {
        let later = Self.start + turns / Earth.turnsPerDay
        let before = sightings([constellation], Self.start)
        let after = sightings([constellation], later)
        #expect(before.count > 5)
        for sighting in before where sighting.elevation > 2 {
            let again = try #require(after.first { $0.id == sighting.id })
            // The plane drifts by about 0.04° a day.
            #expect(angle(sighting, again) < 0.1 * turns, "\(sighting.id)")
        }
    }

    @Test func `GPS satellites rise four minutes earlier every day`() {
        let before = sightings([.gps], Self.start).filter { $0.elevation > 10 }
        let nextDay = sightings([.gps], Self.start + 1)
        let turns = before.compactMap { sighting in
            nextDay.first { $0.id == sighting.id }.map { angle(sighting, $0) }
        }
        #expect(turns.allSatisfy { 0.5...3 ~= $0 })
    }

    // The constellation's reference gives 613.722 535 66° per day.
    @Test func `Galileo satellites follow the reference constellation`() throws {
        let orbit = try #require(NominalConstellation.orbits(of: .galileo).first)
        #expect(abs(orbit.argumentRate - 613.722_535_66) < 0.01)
    }

    @Test func `8 to 13 GPS satellites are above 5° in open terrain, with brief exceptions`() {
        let counts = stride(from: 0.0, to: 1, by: 1.0 / 288).map { day in
            sightings([.gps], Self.start + day).count { $0.elevation >= 5 }
        }
        #expect(counts.allSatisfy { 7...14 ~= $0 })
        #expect(Double(counts.count { 8...13 ~= $0 }) > 0.95 * Double(counts.count))
        #expect(Set(counts).count > 3)
    }

    // From manuals of EGNOS: at Vienna (48.2° N, 16.4° E), 5° E is in the south-south-west.
    @Test func `a geostationary satellite has a constant direction`() throws {
        for minute in stride(from: 0.0, to: 1440, by: 97) {
            let days = Self.start + minute / 1440
            let sky = sightings([.sbas], days, at: Coordinate(latitude: 0, longitude: 5))
            let above = try #require(sky.first { $0.id.svid == 136 })
            #expect(abs(above.elevation - 90) < 0.01)
            let europe = sightings([.sbas], days)
            let egnos = try #require(europe.first { $0.id.svid == 136 })
            // Azimuth 180° + atan(tan 11.3634° / sin 48.2066°); elevation on a sphere 33.4°.
            #expect(abs(egnos.azimuth - 195.1) < 0.1)
            #expect(abs(egnos.elevation - 33.4) < 0.3)
            #expect(!europe.contains { $0.id.svid == 131 })
        }
    }

    // Their orbits are inclined by 55°: they turn back south of the pole.
    @Test func `no GPS satellite passes the north of the sky of Vienna`() {
        var north = 0
        var south = 0
        for step in 0..<288 {
            for sighting in sightings([.gps], Self.start + Double(step) / 288)
            where 15...55 ~= sighting.elevation {
                if !(15...345 ~= sighting.azimuth) { north += 1 }
                if 165...195 ~= sighting.azimuth { south += 1 }
            }
        }
        #expect(north == 0)
        #expect(south > 100)
    }

    @Test func `a quasi-zenith satellite is always high above Tokyo`() {
        let tokyo = Coordinate(latitude: 35.68, longitude: 139.77)
        for step in 0..<96 {
            let sky = sightings([.qzss], Self.start + Double(step) / 96, at: tokyo)
            let highest = sky.map(\.elevation).max() ?? 0
            #expect(highest > 60, "\(step)")
        }
    }

    @Test func `at the poles and beyond the date line all values are finite`() {
        let places = [
            Coordinate(latitude: 90, longitude: 0), Coordinate(latitude: -90, longitude: 180),
            Coordinate(latitude: 0, longitude: -180),
        ]
        for place in places {
            let sky = sightings(Constellation.allCases, Self.start, at: place)
            #expect(sky.count > 20)
            for sighting in sky {
                #expect(0...90 ~= sighting.elevation)
                #expect(0..<360 ~= sighting.azimuth)
                #expect(abs(sighting.direction.length - 1) < 1e-12)
            }
        }
    }

    @Test func `walls hide the satellites behind them, also across north`() {
        let wall = Surroundings.Wall(from: 350, to: 20, elevation: 40)
        let street = Surroundings(walls: [wall])
        #expect(street.hides(elevation: 39, azimuth: 5))
        #expect(street.hides(elevation: 39, azimuth: 355))
        #expect(!street.hides(elevation: 41, azimuth: 5))
        #expect(!street.hides(elevation: 10, azimuth: 21))
        #expect(!street.hides(elevation: 10, azimuth: 340))
        #expect(!Surroundings.openSky.hides(elevation: 0, azimuth: 0))
        let yard = Surroundings(walls: [Surroundings.Wall(from: 0, to: 360, elevation: 30)])
        for azimuth in stride(from: 0.0, to: 360, by: 45) {
            #expect(yard.hides(elevation: 29, azimuth: azimuth))
            #expect(!yard.hides(elevation: 31, azimuth: azimuth))
        }
    }
}

@Suite(.timeLimit(.generous))
struct GeometryTests {
    private func sighting(
        _ number: Int, _ elevation: Double, _ azimuth: Double, _ constellation: Constellation = .gps
    ) throws -> Sighting {
        let id = try #require(SatelliteID(constellation, number))
        let up = PortableMath.sinCos(elevation * .pi / 180)
        let round = PortableMath.sinCos(azimuth * .pi / 180)
        return Sighting(
            id: id, direction: Vector(x: up.cos * round.sin, y: up.cos * round.cos, z: up.sin),
            elevation: elevation, azimuth: azimuth)
    }

    // One overhead and three on the horizon, 120° apart. By hand: the normal matrix is diagonal but
    // for up and clock, [1 1; 1 4], whose inverse is [4 -1; -1 1] / 3; east and north are 3/2 each.
    @Test func `three low satellites and one overhead have the DOPs calculated by hand`() throws {
        let used = try [
            sighting(1, 90, 0), sighting(2, 0, 0), sighting(3, 0, 120), sighting(4, 0, 240),
        ]
        let dilution = try #require(Geometry(used)).dilution(isFlat: false)
        #expect(abs(dilution.hdop - (4.0 / 3).squareRoot()) < 1e-12)
        #expect(abs(try #require(dilution.vdop) - (4.0 / 3).squareRoot()) < 1e-12)
        #expect(abs(dilution.tdop - (1.0 / 3).squareRoot()) < 1e-12)
        #expect(abs(dilution.pdop - (8.0 / 3).squareRoot()) < 1e-12)
        #expect(abs(dilution.gdop - 3.0.squareRoot()) < 1e-12)
    }

    // The result of inverting the 5 × 5 matrix with a column for each clock, in rational numbers.
    @Test func `a second constellation needs one more satellite for its clock`() throws {
        let four = try [
            sighting(1, 90, 0), sighting(2, 0, 0), sighting(3, 0, 120), sighting(4, 0, 240),
        ]
        let alone = try #require(Geometry(four))
        let one = try #require(Geometry(four + [sighting(1, 45, 200, .glonass)]))
        #expect(one == alone)
        let two = try #require(
            Geometry(four + [sighting(1, 0, 0, .glonass), sighting(2, 0, 180, .glonass)]))
        // North gains (1 - 0)² + (-1 - 0)² = 2: 1.5 + 2.
        #expect(abs(two.covariance.nn - 1 / 3.5) < 1e-12)
        #expect(abs(two.covariance.ee - 1 / 1.5) < 1e-12)
    }

    @Test func `too few satellites, or all at one elevation, give no solution`() throws {
        #expect(Geometry([]) == nil)
        let cone = try [0.0, 90, 180, 270].enumerated().map { try sighting($0 + 1, 40, $1) }
        #expect(Geometry(cone) == nil)
        #expect(Geometry(Array(cone.prefix(3))) == nil)
        let flat = try #require(Geometry(Array(cone.prefix(3)), isFlat: true))
        #expect(flat.dilution(isFlat: true).vdop == nil)
        #expect(flat.dilution(isFlat: true).pdop == flat.dilution(isFlat: true).hdop)
    }

    @Test func `the error ellipse lies along the worse direction`() throws {
        // Satellites in a band from south-west to north-east: the error across it is larger.
        let used = try [
            sighting(1, 20, 45), sighting(2, 30, 50), sighting(3, 25, 225), sighting(4, 35, 220),
            sighting(5, 80, 135),
        ]
        let geometry = try #require(Geometry(used))
        let deviations = geometry.covariance.deviations(range: 5, isFlat: false)
        #expect(abs(deviations.orientation - 135) < 5)
        #expect(deviations.semiMajor > 2 * deviations.semiMinor)
        let sum =
            deviations.semiMajor * deviations.semiMajor
            + deviations.semiMinor * deviations.semiMinor
        let other = deviations.east * deviations.east + deviations.north * deviations.north
        #expect(abs(sum - other) < 1e-9)
        #expect(deviations.range == 5)
    }
}
