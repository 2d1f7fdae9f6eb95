// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import SimulatedDevices
import Testing

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
