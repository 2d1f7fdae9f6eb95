// SPDX-License-Identifier: MIT
import GPSBridge
import GPSReceivers
import GPSTestSupport
import Glibc
import Testing

/// For ten thousand cycles run `scripts/bench/receivers cycles 10000`.
@Suite(.timeLimit(.generous))
struct ReplugCyclesTests {
    @Test func `replugging a hundred times leaks nothing`() async {
        // In a separate process, where no other test opens files at the same time.
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            let link = folder.path("gps")
            let manager = LocationManager(source: .serial(link))
            manager.startUpdatingLocation()
            func cycle(_ number: Int) async throws {
                let (locations, paused) = (
                    manager.didUpdateLocations, manager.didPauseLocationUpdates
                )
                let receiver = try ScriptedReceiver(link: link)
                await receiver.waitForReader()
                // More than once, because the search for the rate may drop some of them.
                await receiver.sendEpoch(10 * number)
                await receiver.sendEpochs { for await _ in locations.prefix(1) {} }
                receiver.unplug()
                for await _ in paused.prefix(1) {}
            }
            for number in 0..<10 { try await cycle(number) }
            let before = openDescriptorCount()
            for number in 10..<110 { try await cycle(number) }
            // One or two may just be opened or closed, but not a hundred.
            #expect(openDescriptorCount() < before + 10)
        }
    }
}
