// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import Testing

@Suite(.timeLimit(.generous)) struct TimeOfDayTests {
    private func time(_ hour: Int, _ minute: Int, _ second: Int) throws -> TimeOfDay {
        try #require(TimeOfDay(hour: hour, minute: minute, second: second))
    }

    @Test func `second 60 exists only as 23 59 60`() throws {
        #expect(TimeOfDay(hour: 12, minute: 59, second: 60) == nil)
        let leap = try time(23, 59, 60)
        #expect((leap.hour, leap.minute, leap.second) == (23, 59, 60))
        #expect(leap.isLeapSecond)
    }

    @Test(arguments: [(24, 0, 0), (0, 60, 0), (0, 0, 61), (-1, 0, 0)])
    func `times that do not exist are rejected`(hour: Int, minute: Int, second: Int) {
        #expect(TimeOfDay(hour: hour, minute: minute, second: second) == nil)
    }

    @Test func `differences are the shorter ones across midnight`() throws {
        #expect(try time(0, 0, 1).nanoseconds(since: time(23, 59, 59)) == 2_000_000_000)
        #expect(try time(23, 59, 59).nanoseconds(since: time(0, 0, 1)) == -2_000_000_000)
    }

    @Test func `a leap second lasts a second`() throws {
        #expect(try time(23, 59, 60).nanoseconds(since: time(23, 59, 59)) == 1_000_000_000)
        #expect(try time(0, 0, 0).nanoseconds(since: time(23, 59, 60)) == 1_000_000_000)
        #expect(try time(23, 59, 60).nanoseconds(since: time(0, 0, 0)) == -1_000_000_000)
    }
}
