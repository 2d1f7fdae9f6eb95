// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import Testing

@Suite(.timeLimit(.generous)) struct GeoidModelTests {
    // The test values published with EGM96 (`OUTPUT.DAT` of its program F477).
    @Test(arguments: [
        (38.628155, 269.779155 - 360, -31.628), (-14.621217, 305.021114 - 360, -2.969),
        (46.874319, 102.448729, -43.575), (-23.617446, 133.874712, 15.871),
        (38.625473, 359.9995 - 360, 50.066), (-0.466744, 0.0023, 17.329),
    ])
    func `the geoid is within 4 m of the published test values`(
        latitude: Double, longitude: Double, height: Double
    ) throws {
        let position = Coordinate(latitude: latitude, longitude: longitude)
        let separation = try #require(GeoidModel.separation(at: position))
        #expect(abs(separation - height) < 4)
    }

    @Test func `the geoid is continuous at the date line and one height at a pole`() throws {
        func separation(_ latitude: Double, _ longitude: Double) -> Double? {
            GeoidModel.separation(at: Coordinate(latitude: latitude, longitude: longitude))
        }
        #expect(separation(-17, 180) == separation(-17, -180))
        #expect(separation(90, 12) == separation(90, -120))
        #expect(separation(-90, 12) == -30)
        #expect(separation(91, 0) == nil)
        #expect(separation(.nan, 0) == nil)
    }
}
