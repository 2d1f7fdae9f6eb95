// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import Testing

/// The test values published with the model's coefficients (`WMM2025_TEST_VALUES.txt`), in nanotesla
/// and degrees.
private struct PublishedValue: CustomStringConvertible {
    let year: Double
    let kilometres: Double
    let coordinate: Coordinate
    let north: Double
    let east: Double
    let down: Double
    let declination: Double

    init(_ values: Double...) {
        year = values[0]
        kilometres = values[1]
        coordinate = Coordinate(latitude: values[2], longitude: values[3])
        north = values[4]
        east = values[5]
        down = values[6]
        declination = values[7]
    }

    var description: String { "\(year), \(kilometres) km, \(coordinate)" }

    static let all = [
        PublishedValue(2025, 0, 80, 0, 6521.6, 145.9, 54791.5, 1.28),
        PublishedValue(2025, 0, 0, 120, 39677.8, -109.6, -10580.2, -0.16),
        PublishedValue(2025, 0, -80, -120, 6117.5, 15751.9, -52022.5, 68.78),
        PublishedValue(2025, 100, 80, 0, 6216.0, 92.4, 52598.8, 0.85),
        PublishedValue(2025, 100, 0, 120, 37688.6, -96.2, -10152.1, -0.15),
        PublishedValue(2025, 100, -80, -120, 5907.6, 14780.3, -49540.7, 68.21),
        PublishedValue(2027.5, 0, 80, 0, 6500.8, 294.5, 54869.4, 2.59),
        PublishedValue(2027.5, 0, 0, 120, 39701.6, -167.4, -10381.8, -0.24),
        PublishedValue(2027.5, 0, -80, -120, 6200.7, 15730.3, -51783.7, 68.49),
        PublishedValue(2027.5, 100, 80, 0, 6196.7, 233.8, 52670.5, 2.16),
        PublishedValue(2027.5, 100, 0, 120, 37711.5, -148.7, -9969.8, -0.23),
        PublishedValue(2027.5, 100, -80, -120, 5984.0, 14760.1, -49317.7, 67.93),
    ]
}

@Suite(.timeLimit(.generous)) struct MagneticModelTests {
    private let munich = Coordinate(latitude: 48.1, longitude: 11.5)

    private func noon(_ year: Int, _ month: Int, _ day: Int) throws -> UTCTime {
        UTCTime(
            date: try #require(CalendarDate(year: year, month: month, day: day)),
            time: try #require(TimeOfDay(hour: 12, minute: 0, second: 0)))
    }

    @Test(arguments: PublishedValue.all)
    private func `the field agrees with the published test values`(_ value: PublishedValue) throws {
        let field = MagneticModel.field(
            at: value.coordinate, height: value.kilometres * 1000, year: value.year)
        #expect(abs(field.north - value.north) <= 0.0501)
        #expect(abs(field.east - value.east) <= 0.0501)
        #expect(abs(field.down - value.down) <= 0.0501)
        let declination = try #require(field.declination)
        #expect(abs(declination - value.declination) <= 0.00501)
    }

    @Test func `the model has no declination before and after its years`() throws {
        for (year, isValid) in [(2024, false), (2025, true), (2029, true), (2030, false)] {
            let first = MagneticModel.declination(at: munich, on: try noon(year, 1, 1))
            let last = MagneticModel.declination(at: munich, on: try noon(year, 12, 31))
            #expect((first != nil) == isValid)
            #expect((last != nil) == isValid)
        }
    }

    @Test func `near a magnetic pole there is no declination`() throws {
        let pole = Coordinate(latitude: 85.76, longitude: 139.3)
        #expect(MagneticModel.declination(at: pole, on: try noon(2025, 1, 1)) == nil)
    }

    @Test func `the field is finite at the geographic poles`() {
        for latitude in [90.0, -90] {
            let pole = Coordinate(latitude: latitude, longitude: 30)
            let near = Coordinate(latitude: latitude * (1 - 1e-9), longitude: 30)
            let field = MagneticModel.field(at: pole, height: 0, year: 2026)
            let other = MagneticModel.field(at: near, height: 0, year: 2026)
            #expect(abs(field.north - other.north) < 0.01)
            #expect(abs(field.east - other.east) < 0.01)
            #expect(abs(field.down - other.down) < 0.01)
        }
    }

    @Test func `a decimal year counts the days of a leap year`() throws {
        #expect(MagneticModel.decimalYear(of: try noon(2028, 7, 1)) == 2028 + 182.5 / 366)
        #expect(MagneticModel.decimalYear(of: try noon(2026, 1, 1)) == 2026 + 0.5 / 365)
    }
}
