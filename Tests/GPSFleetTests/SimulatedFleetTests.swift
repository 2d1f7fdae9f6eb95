// SPDX-License-Identifier: MIT
import GNSS
import GPSFleet
import GPSTestTraits
import Testing

@Suite(.timeLimit(.generous))
struct SimulatedFleetTests {
    private let fleet = SimulatedFleet(count: 10, fleet: "buses")
    /// 00:00:00 UTC on 21 March 2026, in milliseconds of Unix time.
    private let midnight: Int64 = 1_774_051_200_000

    @Test(arguments: 0..<10)
    func `a receiver drives on at midnight`(_ index: Int) throws {
        let before = try #require(fleet.fix(index, at: midnight - 1000).coordinate)
        let after = try #require(fleet.fix(index, at: midnight).coordinate)
        // The speed is at most 20 m/s, and each of the positions has an error below 2 m.
        #expect(after.distance(from: before) < 24)
    }
}
