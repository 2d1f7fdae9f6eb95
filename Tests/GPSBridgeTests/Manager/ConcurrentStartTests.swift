// SPDX-License-Identifier: MIT
import Dispatch
import GNSS
import GPSBridge
import GPSReceivers
import GPSTestSupport
import SimulatedDevices
import Testing

/// Updates that are started and stopped by several threads, while the sources are being joined.
@Suite(.timeLimit(.generous), .repeated)
struct ConcurrentStartTests {
    /// A source that blocks the first thread that joins it.
    private final class SlowToJoinSource: DeviceSource {
        let name = "slow to join"
        let origin = DataOrigin.replay
        let joins = Witness<Int>()
        let gate = Gate()
        private let inner = BytesSource.bytes([])

        var identity: SourceIdentity {
            joins.note(1)
            if joins.all.count == 1 { gate.pass() }
            return inner.identity
        }

        func open() async throws(DeviceError) -> any DeviceConnection { try await inner.open() }
    }

    @Test func `locations come after stop and start during a start on another thread`() async {
        let receiver = SimulatedSource(.fast)
        let slow = SlowToJoinSource()
        let manager = LocationManager(sources: [receiver, slow])
        let stream = manager.didUpdateLocations
        let firstStart = Witness<Int>()
        DispatchQueue.global().async {
            manager.startUpdatingLocation()
            firstStart.note(1)
        }
        _ = await slow.joins.first(1)
        manager.stopUpdatingLocation()
        // Joined after the manager, so that the manager has received every update that this receives.
        let epochs = Witness<Int>()
        let other = ReceiverPool.shared.join(receiver) { update in
            if case .epoch = update { epochs.note(1) }
        }
        _ = await epochs.first(1)
        manager.startUpdatingLocation()
        slow.gate.open()
        _ = await firstStart.first(1)
        #expect(await collect(3, from: stream).count == 3)
        withExtendedLifetime(other) {}
    }

    @Test func `locations come after any number of starts and stops on several threads`() async {
        let sources = (0..<8).map { SimulatedSource(.fast, name: "simulated \($0)") }
        let keepsOpen = LocationManager(sources: sources)
        keepsOpen.startUpdatingLocation()
        for _ in 0..<50 {
            let manager = LocationManager(sources: sources)
            let stream = manager.didUpdateLocations
            await withTaskGroup { group in
                for _ in 0..<4 {
                    group.addTask {
                        // Each ends with a start, so that the last call is a start.
                        for _ in 0..<10 {
                            manager.stopUpdatingLocation()
                            manager.startUpdatingLocation()
                        }
                    }
                }
            }
            // Waits for all receivers, because any of them could be the one that is no longer joined.
            var silent = Set(sources.map(\.name))
            for await locations in stream {
                silent.subtract(locations.compactMap(\.sourceInformation.source))
                if silent.isEmpty { break }
            }
            #expect(silent.isEmpty)
        }
        keepsOpen.stopUpdatingLocation()
    }
}
