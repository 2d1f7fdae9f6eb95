// SPDX-License-Identifier: MIT
import Dispatch
import GPSBridge
import GPSReceivers
import GPSTestSupport
import Testing

@globalActor private actor OtherActor {
    static let shared = OtherActor()
}

/// A delegate on a global actor whose executor is not a queue.
@OtherActor private final class OtherActorDelegate: @OtherActor LocationManagerDelegate {
    func locationManager(_ manager: LocationManager, didUpdateLocations locations: [Location]) {
        Issue.record("called off its actor")
    }
}

/// A supported delegate on another global actor: nonisolated methods that switch to it.
@OtherActor private final class HoppingDelegate: LocationManagerDelegate {
    private var count = 0
    nonisolated let counts = Witness<Int>()

    nonisolated func locationManager(
        _ manager: LocationManager, didUpdateLocations locations: [Location]
    ) {
        Task { @OtherActor in
            count += locations.count
            counts.note(count)
        }
    }
}

@Suite(.timeLimit(.generous))
struct OtherActorDelegateTests {
    @Test func `a delegate on another global actor stops the program`() async {
        await #expect(processExitsWith: .failure) {
            await follow(queue: nil)
        }
    }

    @Test func `a delegate on another global actor stops the program also with the main queue`()
        async
    {
        await #expect(processExitsWith: .failure) {
            await follow(queue: .main)
        }
    }

    @Test @OtherActor
    func `a nonisolated delegate can switch to its own global actor`() async {
        let bytes = (0..<6).flatMap { ScriptedReceiver.epoch($0) }
        let manager = LocationManager(source: .bytes(bytes))
        let delegate = HoppingDelegate()
        manager.delegate = delegate
        manager.startUpdatingLocation()
        #expect(await delegate.counts.first(6) == [1, 2, 3, 4, 5, 6])
    }
}

/// Assigns a delegate of another actor, and waits forever unless that ends the process.
@OtherActor private func follow(queue: DispatchQueue?) async {
    let manager = LocationManager(source: .bytes([]), queue: queue)
    let delegate = OtherActorDelegate()
    manager.delegate = delegate
    await Witness<Int>().wait { _ in false }
    withExtendedLifetime((manager, delegate)) {}
}
