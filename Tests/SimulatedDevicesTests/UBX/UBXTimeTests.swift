// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import SimulatedDevices
import Testing
import UBX

/// UTC and the time of the GPS week.
@Suite(.timeLimit(.generous))
struct UBXTimeTests {
    private func configuration(
        from start: [Int], _ faults: FaultScript = []
    ) throws -> SimulatedReceiver.Configuration {
        var configuration = SimulatedReceiver.Configuration.ubx(.ublox8, faults)
        configuration.start = UTCTime(
            date: try #require(CalendarDate(year: start[0], month: start[1], day: start[2])),
            time: try #require(TimeOfDay(hour: start[3], minute: start[4], second: start[5])))
        return configuration
    }

    @Test(arguments: [
        // As in a recording of an M10 (gpsd's ublox-glo).
        ([2023, 6, 28, 14, 52, 12], 312_750_000),
        // 18 leap seconds: the week begins on Saturday at 23:59:42.
        ([2026, 3, 21, 12, 0, 0], 561_618_000),
        ([2026, 3, 21, 23, 59, 41], 604_799_000),
        ([2026, 3, 21, 23, 59, 42], 0),
        // The last leap second came between these; in 1980 there was none.
        ([2016, 12, 31, 23, 59, 59], 16_000),
        ([2017, 1, 1, 0, 0, 0], 18_000),
        ([1980, 1, 6, 0, 0, 0], 0),
    ])
    func `the time of week counts leap seconds`(_ start: [Int], _ expected: Int) throws {
        let run = UBXRun(try configuration(from: start), epochs: 1)
        #expect(run.epochs[0].first(NavPVT.self)?.timeOfWeekMilliseconds == UInt32(expected))
        #expect(run.epochs[0].first(NavEOE.self)?.timeOfWeekMilliseconds == UInt32(expected))
    }

    @Test func `a leap second is second 60, and the time of week continues`() throws {
        var configuration = try configuration(
            from: [2026, 6, 30, 23, 59, 58], [Fault(.leapSecond)])
        configuration.rate = 2
        let sent = try UBXRun(configuration, epochs: 8).epochs.map {
            try #require($0.first(NavPVT.self))
        }
        #expect(sent.map(\.second) == [58, 58, 59, 59, 60, 60, 0, 0])
        #expect(sent.map(\.day) == [30, 30, 30, 30, 30, 30, 1, 1])
        for (a, b) in zip(sent, sent.dropFirst()) {
            #expect(b.timeOfWeekMilliseconds - a.timeOfWeekMilliseconds == 500)
        }
    }

    @Test func `dates that are 1024 weeks early have the right time of week`() throws {
        let start = [2026, 3, 21, 12, 0, 0]
        let faults: FaultScript = [Fault(.weekRollover)]
        let run = UBXRun(try configuration(from: start, faults), epochs: 1)
        let pvt = try #require(run.epochs[0].first(NavPVT.self))
        #expect(pvt.year == 2006 && pvt.month == 8 && pvt.day == 5)
        #expect(pvt.timeOfWeekMilliseconds == 561_618_000)
    }

    @Test func `fractions of seconds are in nanoseconds`() throws {
        var configuration = SimulatedReceiver.Configuration.ubx(.ublox10)
        configuration.rate = 10
        for (index, epoch) in UBXRun(configuration, epochs: 12).epochs.enumerated() {
            let pvt = try #require(epoch.first(NavPVT.self))
            #expect(pvt.second == index / 10)
            #expect(pvt.nanoseconds == Int32(index % 10) * 100_000_000)
            #expect(pvt.timeOfWeekMilliseconds == 561_618_000 + UInt32(index) * 100)
        }
    }

    @Test func `before the time is known it counts from the start, and is not valid`() throws {
        var configuration = SimulatedReceiver.Configuration.ubx(.ublox10)
        configuration.acquisition = Acquisition(time: 3, twoD: 6, threeD: 6)
        let sent = try UBXRun(configuration, epochs: 6).epochs.map {
            try #require($0.first(NavPVT.self))
        }
        #expect(sent.prefix(3).map(\.timeOfWeekMilliseconds) == [0, 1000, 2000])
        #expect(sent.map(\.validity.hasDate) == [false, false, false, true, true, true])
        #expect(sent.map(\.validity.hasTime) == sent.map(\.validity.hasDate))
        #expect(sent.map(\.confirmation.hasTime) == sent.map(\.validity.hasDate))
        #expect(sent[0].timeAccuracy > 4)
        #expect(sent[3].timeOfWeekMilliseconds == 561_621_000)
    }
}
