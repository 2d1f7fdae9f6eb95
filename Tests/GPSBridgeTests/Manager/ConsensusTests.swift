// SPDX-License-Identifier: MIT
import GNSS
import GPSBridge
import GPSTestSupport
import NMEA
import Testing

/// Several receivers of a manager as one.
@Suite(.timeLimit(.generous))
struct ConsensusTests {
    @Test(.undelayed)
    func `a manager of several receivers sends the winner's locations`() async throws {
        let receivers = try (0..<3).map { _ in try ScriptedReceiver() }
        let manager = LocationManager(
            sources: receivers.map(\.source), combining: .consensus)
        let locations = manager.didUpdateLocations
        manager.startUpdatingLocation()
        for receiver in receivers { await receiver.waitForReader() }
        var iterator = locations.makeAsyncIterator()
        var location: Location?
        for second in 0..<20 where location?.fix.vote?.disagreeing.count != 1 {
            await receivers[0].sendEpoch(second)
            await receivers[1].sendEpoch(second)
            await receivers[2].sendEpoch(second, latitude: second < 5 ? 48.2 : 48.3)
            location = await iterator.next()?.last
            #expect(location?.fix.time?.time.second == second)
        }
        let last = try #require(location)
        #expect(last.coordinate.latitude == 48.2)
        #expect(last.fix.vote?.state == .agreed)
        #expect(last.fix.vote?.disagreeing == [receivers[2].path])
        #expect(last.sourceInformation.source == "vote")
        #expect(receivers[..<2].map(\.path).contains(last.device))
    }

    @Test func `the statistics of a vote are those of a receiver, not a sum`() async throws {
        let bytes = (0..<5).flatMap { ScriptedReceiver.epoch($0) }
        let manager = LocationManager(
            sources: [.bytes(bytes), .bytes(bytes)], combining: .consensus)
        let statistics = manager.statistics
        manager.startUpdatingLocation()
        var accepted: [Int] = []
        for await counts in statistics { accepted.append(counts.accepted) }
        #expect(!accepted.isEmpty && accepted.allSatisfy { 1...10 ~= $0 }, "\(accepted)")
    }

    @Test func `separate receivers have no vote`() async throws {
        let receivers = try (0..<2).map { _ in try ScriptedReceiver() }
        let manager = LocationManager(sources: receivers.map(\.source), combining: .separate)
        let location = Task { try await manager.requestLocation(timeout: .seconds(3600)) }
        await receivers[0].waitForReader()
        await receivers[0].sendEpoch(1)
        await receivers[0].sendEpoch(2)
        #expect(try await location.value.fix.vote == nil)
    }
}
