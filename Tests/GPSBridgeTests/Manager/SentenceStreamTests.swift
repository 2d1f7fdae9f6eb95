// SPDX-License-Identifier: MIT
import GPSBridge
import GPSReceivers
import GPSTestSupport
import NMEA
import Testing

@Suite(.timeLimit(.generous))
struct SentenceStreamTests {
    private static let wind = [
        "$WIMWV,214.8,R,0.1,K,A*28", "$GPGGA,bad", "$WIMWV,220.0,R,5.0,N,A*26",
    ]

    @Test func `a stream of one sentence type has no other sentences and no noise`() async throws {
        let manager = LocationManager(source: .sentences(Self.wind))
        let (winds, depths) = (manager.sentences(MWV.self), manager.sentences(DBT.self))
        manager.startUpdatingLocation()
        var angles: [Double?] = []
        for await wind in winds { angles.append(wind.angle) }
        #expect(angles == [214.8, 220])
        for await depth in depths { Issue.record("\(depth)") }
    }

    @Test func `rejected lines are a stream with reasons`() async throws {
        let manager = LocationManager(source: .sentences(Self.wind))
        let rejections = manager.rejections
        manager.startUpdatingLocation()
        var count = 0
        for await _ in rejections { count += 1 }
        #expect(count == 1)
    }

    @Test func `statistics are reported with each epoch`() async throws {
        let bytes = (0..<5).flatMap { ScriptedReceiver.epoch($0) }
        let manager = LocationManager(source: .bytes(bytes))
        let statistics = manager.statistics
        manager.startUpdatingLocation()
        var accepted: [Int] = []
        for await counts in statistics { accepted.append(counts.accepted) }
        #expect(accepted.count == 5 && accepted == accepted.sorted() && accepted.last == 10)
    }
}
