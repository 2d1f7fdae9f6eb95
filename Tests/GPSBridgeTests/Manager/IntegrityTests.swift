// SPDX-License-Identifier: MIT
import Delegation
import GNSS
import GPSBridge
import GPSTestSupport
import Testing

/// Evidence against a position, as a manager reports it.
@Suite(.timeLimit(.generous))
struct IntegrityTests {
    @Test func `a position that jumps is an alarm, and stays unchanged`() async throws {
        let folder = try TemporaryFolder()
        // A kilometre to the north, with the same speed.
        let epochs = (0..<13).flatMap { second in
            ScriptedReceiver.epoch(second, latitude: second < 10 ? 48.2 : 48.21)
        }
        let manager = LocationManager(
            source: .file(try folder.file("track.nmea", epochs), speed: 1000))
        let (changes, locations) = (manager.didChangeIntegrity, manager.didUpdateLocations)
        manager.startUpdatingLocation()
        var iterator = changes.makeAsyncIterator()
        let change = try #require(await iterator.next())
        #expect(change.state == .alarm)
        #expect(change.reasons.map(\.test) == [.positionStep], "\(change)")
        let location = await collect(11, from: locations).last
        #expect(location?.coordinate.latitude == 48.21)
        #expect(location?.integrity.state == .alarm)
    }
}
