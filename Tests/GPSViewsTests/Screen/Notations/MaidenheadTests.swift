// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import GPSViews
import Testing

@Suite(.timeLimit(.generous))
struct MaidenheadTests {
    /// Munich, ARRL's station W1AW, Montevideo and Washington, as printed in articles about it.
    @Test(arguments: [
        (48.14666, 11.60833, "JN58td"), (41.714775, -72.727260, "FN31pr"),
        (-34.91, -56.21166, "GF15vc"), (38.92, -77.065, "FM18lw"),
        (90.0, 180.0, "RR99xx"), (-90.0, -180.0, "AA00aa"), (0.0, 0.0, "JJ00aa"),
    ])
    func `agrees with published locators`(
        _ latitude: Double, _ longitude: Double, _ locator: String
    ) throws {
        let text = Maidenhead.locator(Coordinate(latitude: latitude, longitude: longitude))
        #expect(text.map { String($0.prefix(6)) } == locator)
        #expect(text?.count == 10)
    }

    @Test func `an invalid position has no locator`() {
        #expect(Maidenhead.locator(Coordinate(latitude: .nan, longitude: 0)) == nil)
        #expect(Maidenhead.locator(Coordinate(latitude: 0, longitude: 181)) == nil)
    }
}
