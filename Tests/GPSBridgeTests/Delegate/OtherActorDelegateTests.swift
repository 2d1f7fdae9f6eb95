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

    @Test func `a delegate on another global actor that is added to the proxy stops the program`()
        async
    {
        await #expect(processExitsWith: .failure) {
            await follow(queue: nil, addsToProxy: true)
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

/// Assigns a delegate of another actor, or adds it to the proxy. Waits forever unless the first call
/// ends the process.
@OtherActor private func follow(queue: DispatchQueue?, addsToProxy: Bool = false) async {
    let manager = LocationManager(source: .bytes(ScriptedReceiver.epoch(0)), queue: queue)
    let delegate = OtherActorDelegate()
    if addsToProxy {
        manager.proxy.addDelegate(delegate)
        manager.startUpdatingLocation()
    } else {
        manager.delegate = delegate
    }
    await Witness<Int>().wait { _ in false }
    withExtendedLifetime((manager, delegate)) {}
}
