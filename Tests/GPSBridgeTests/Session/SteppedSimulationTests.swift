// SPDX-License-Identifier: MIT
import FoundationEssentials
import GNSS
import GPSBridge
import GPSIO
import GPSReceivers
import GPSTestSupport
import SimulatedDevices
import Testing

/// A simulated receiver whose time is advanced by a test.
@Suite(.timeLimit(.generous), .repeated)
struct SteppedSimulationTests {
    /// The location of every epoch, if the time advances in these steps of seconds.
    private func fixes(seed: UInt64, steps: [Int]) async -> [Location] {
        let clock = ManualClock()
        var configuration = SimulatedReceiver.Configuration()
        configuration.seed = seed
        configuration.pace = .stepped(by: clock)
        let manager = LocationManager(source: .simulated(configuration))
        let locations = Witness<Location>()
        let subscription = manager.events.didUpdateLocations.subscribe(buffering: .unbounded) {
            all in
            for location in all { locations.note(location) }
        }
        manager.startUpdatingLocation()
        var count = 1
        for step in steps {
            clock.advance(by: .seconds(step))
            count += step
        }
        let all = await locations.first(count)
        subscription.dispose()
        return all
    }

    @Test func `a loop slower than the clock's steps gets every fix`() async throws {
        let clock = ManualClock()
        var configuration = SimulatedReceiver.Configuration()
        configuration.pace = .stepped(by: clock)
        // The receiver waits for the loop for any time that a busy machine takes to start it.
        let manager = LocationManager(
            sources: [.simulated(configuration)], queue: nil,
            member: SessionMember(unreadLimit: .seconds(3600)))
        let (stream, sent) = (manager.didUpdateLocations, Witness<Int>())
        manager.proxy.didUpdateLocations.observe { sent.note($0.count) }
        manager.startUpdatingLocation()
        clock.advance(by: .seconds(1000))
        _ = await sent.first(100)
        var count = 0
        for await locations in stream {
            count += locations.count
            // Without waiting for the reader, the simulation would be far ahead after this time.
            if count == 10 { _ = await Poller.shared.sleep(until: .now + .milliseconds(500)) }
            if count == 1001 { break }
            if stream.droppedCount > 0 { break }
        }
        #expect(stream.droppedCount == 0)
        #expect(count == 1001)
        withExtendedLifetime(clock) {}
    }

    @Test(arguments: [[600], [299, 1, 300], [Int](repeating: 100, count: 6)])
    func `steps of any size give the same fixes, one for every epoch`(
        _ steps: [Int]
    ) async throws {
        let first = await fixes(seed: 7, steps: steps)
        let start = try #require(first.first?.timestamp)
        #expect(first.map { $0.timestamp.timeIntervalSince(start) } == (0...600).map(Double.init))
        let again = await fixes(seed: 7, steps: [600])
        #expect(first.map(\.coordinate) == again.map(\.coordinate))
        #expect(first.map(\.timestamp) == again.map(\.timestamp))
    }
}
