// SPDX-License-Identifier: MIT
import GPSBridge
import GPSReceivers
import GPSTestSupport
import Glibc
import Testing

/// The same file repeatedly; `GPSBRIDGE_REPLAYS=1000` for more repetitions.
@Suite(.timeLimit(.generous))
struct ReplayTests {
    private static let count =
        getenv("GPSBRIDGE_REPLAYS").flatMap { Int(String(cString: $0)) } ?? 50

    private func track(_ folder: TemporaryFolder, _ epochs: Int) throws -> FileSource {
        let bytes = (0..<epochs).flatMap { ScriptedReceiver.epoch($0) }
        return .file(try folder.file("track.nmea", bytes), speed: .infinity)
    }

    private func locationCount(_ source: FileSource) async -> Int {
        let manager = LocationManager(source: source)
        let stream = manager.didUpdateLocations
        manager.startUpdatingLocation()
        return await countLocations(of: stream)
    }

    @Test func `a file that is read repeatedly gives every location each time`() async throws {
        let folder = try TemporaryFolder()
        let source = try track(folder, 100)
        for _ in 0..<Self.count { #expect(await locationCount(source) == 100) }
    }

    @Test func `a file that is read by many managers gives each of them every location`()
        async throws
    {
        let folder = try TemporaryFolder()
        let source = try track(folder, 100)
        await withTaskGroup(of: Int.self) { group in
            for number in 0..<Self.count {
                if number >= 20, let count = await group.next() { #expect(count == 100) }
                group.addTask { await locationCount(source) }
            }
            for await count in group { #expect(count == 100) }
        }
    }

    @Test func `each iteration of live updates gives every location`() async throws {
        let folder = try TemporaryFolder()
        let updates = Location.liveUpdates(source: try track(folder, 100))
        for _ in 0..<Self.count {
            var count = 0
            for await update in updates where update.location != nil { count += 1 }
            #expect(count == 100)
        }
    }
}
