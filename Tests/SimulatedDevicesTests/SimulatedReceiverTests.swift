// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import SimulatedDevices
import Testing

@Suite(.timeLimit(.generous))
struct SimulatedReceiverTests {
    @Test(arguments: [(0, 0.001), (-1, 0.001), (.nan, 0.001), (.infinity, 1000), (5, 5)])
    func `a rate is rounded to the nearest possible one`(_ rate: Double, _ taken: Double) {
        var configuration = SimulatedReceiver.Configuration()
        configuration.rate = rate
        #expect(configuration.rate == taken)
        var receiver = SimulatedReceiver(configuration)
        _ = receiver.next()
        #expect(receiver.due == 1 / taken)
    }

    @Test(arguments: [nil, 1_774_094_400_000_000_000, 4_000_000_000_000_000_000] as [Int64?])
    func `the truth and the fix have the same time for every start`(
        _ nanoseconds: Int64?
    ) throws {
        var configuration = SimulatedReceiver.Configuration()
        configuration.start = nanoseconds.flatMap { UTCTime(unixNanoseconds: $0) }
        let run = DecodedRun(configuration, epochs: 3)
        let fixes = run.fixes.compactMap(\.time)
        #expect(fixes.count == 3)
        #expect(fixes == run.epochs.map(\.truth.time))
    }

    @Test(arguments: [(Int64.min, 1980), (0, 1980), (.max, 2079)])
    func `a start that sentences cannot express is rounded to the nearest one`(
        _ seconds: Int64, _ year: Int
    ) {
        var receiver = SimulatedReceiver(.init(), startingAt: seconds)
        #expect(receiver.next().truth.time.date.year == year)
    }

    @Test(arguments: [0, -1, Double.nan, -Double.infinity])
    func `a personality without sentences still has epochs`(_ most: Double) {
        var configuration = SimulatedReceiver.Configuration()
        configuration.personality.maximumRate = most
        var receiver = SimulatedReceiver(configuration)
        _ = receiver.next()
        #expect(receiver.due == 1000)
    }

    @Test func `a personality may contain a sentence and a constellation twice`() {
        var configuration = SimulatedReceiver.Configuration()
        configuration.personality = .ublox9
        configuration.personality.cycle += Personality.ublox9.cycle
        configuration.personality.constellations += Personality.ublox9.constellations
        var receiver = SimulatedReceiver(configuration)
        #expect(!receiver.next().bytes.isEmpty)
    }
}
