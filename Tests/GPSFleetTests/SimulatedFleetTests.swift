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

    @Test func `a course that is rounded to 360° is 0°`() throws {
        func course(_ time: Int64) throws -> Double {
            try #require(fleet.fix(0, at: midnight + time).course)
        }
        // A lap takes less than 1,000 s. In one of these seconds, the course passes north.
        var second: Int64 = 0
        while second < 1000 {
            let (before, after) = (try course(second * 1000), try course((second + 1) * 1000))
            if after < before { break }
            second += 1
        }
        try #require(second < 1000)
        // The course changes by less than 0.05° in each step.
        for step in Int64(0)...200 {
            let course = try course(second * 1000 + step * 5)
            #expect(0..<360 ~= course)
        }
    }
}
