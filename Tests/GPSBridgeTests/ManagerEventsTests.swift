// SPDX-License-Identifier: MIT
import Dispatch
import GPSBridge
import GPSReceivers
import GPSTestSupport
import NMEA
import SimulatedDevices
import Testing

@Suite(.timeLimit(.generous))
struct ManagerEventsTests {
    @Test func `every observer gets each location once for every order of set-up`() async throws {
        // The orders of set-up: the steps before the receiver sends.
        let steps: [(LocationManager, RecordingDelegate, Witness<[Location]>) -> Void] = [
            { manager, delegate, _ in manager.delegate = delegate },
            { manager, _, seen in
                manager.events.didUpdateLocations.observe { seen.note($0) }
            },
            { manager, delegate, _ in
                let other = RecordingDelegate()
                manager.delegate = other
                manager.delegate = nil
                manager.delegate = delegate
            },
            { manager, _, _ in manager.startUpdatingLocation() },
        ]
        for order in [
            [0, 1, 3], [1, 0, 3], [3, 1, 0], [1, 2, 3], [2, 1, 3], [0, 3, 1], [1, 3, 2],
        ] {
            let receiver = try ScriptedReceiver()
            let manager = LocationManager(source: receiver.source)
            let (delegate, seen) = (RecordingDelegate(), Witness<[Location]>())
            for index in order { steps[index](manager, delegate, seen) }
            await receiver.waitForReader()
            for second in 0..<6 { await receiver.sendEpoch(second) }
            let observed = await seen.first(4).map { $0[0].fix.time?.time.second }
            #expect(observed == [0, 1, 2, 3], "\(order)")
            await delegate.calls.wait { $0 == .locations([seen.all[3][0]]) }
            let delivered = delegate.locations.prefix(4).map { $0.fix.time?.time.second }
            #expect(delivered == [0, 1, 2, 3], "\(order)")
        }
    }

    @Test func `each of several delegates is called once`() async throws {
        let receiver = try ScriptedReceiver()
        let manager = LocationManager(source: receiver.source)
        let delegates = (0..<3).map { _ in RecordingDelegate() }
        manager.delegate = delegates[0]
        manager.proxy.addDelegate(delegates[1])
        manager.proxy.addDelegate(delegates[2])
        manager.proxy.addDelegate(delegates[2])
        manager.startUpdatingLocation()
        await receiver.waitForReader()
        for second in 0..<3 { await receiver.sendEpoch(second) }
        for delegate in delegates {
            await delegate.calls.wait { $0 != .authorization(.authorizedAlways) }
        }
        await delegates[2].calls.wait {
            if case .locations = $0 { true } else { false }
        }
        manager.proxy.removeDelegate(delegates[2])
        let before = delegates[2].locations.count
        for second in 3..<8 { await receiver.sendEpoch(second) }
        await delegates[1].calls.wait {
            if case .locations(let new) = $0 { new[0].fix.time?.time.second == 6 } else { false }
        }
        let seconds = delegates[1].locations.map { $0.fix.time?.time.second }
        #expect(seconds.prefix(7) == [0, 1, 2, 3, 4, 5, 6])
        #expect(delegates[2].locations.count <= before + 1)
    }

    @Test func `changes of settings are observable, and values sent by an observer are not echoed`()
        async
    {
        let manager = LocationManager(source: .simulated)
        let seen = Witness<Double>()
        manager.events.distanceFilter.subscribe { seen.note($0) }
        manager.distanceFilter = 10
        manager.events.distanceFilter.send(20)
        #expect(manager.distanceFilter == 20)
        manager.distanceFilter = 30
        #expect(await seen.first(3) == [LocationManager.distanceFilterNone, 10, 30])
        manager.events.desiredAccuracy.send(5)
        #expect(manager.desiredAccuracy == 5)
    }

    @Test func `observers of a setting receive its last value last, even if one of them sets it`() {
        let manager = LocationManager(source: .simulated)
        manager.events.headingFilter.observe { [weak manager] in
            if $0 == 10 { manager?.headingFilter = 20 }
        }
        let seen = Witness<Double>()
        manager.events.headingFilter.observe { seen.note($0) }
        manager.headingFilter = 10
        #expect(seen.all == [1, 10, 20])
    }

    @Test func `observers of a setting that threads set receive its last value last`() {
        let manager = LocationManager(source: .simulated)
        let seen = Witness<Double>()
        manager.events.distanceFilter.observe { seen.note($0) }
        DispatchQueue.concurrentPerform(iterations: 1000) { manager.distanceFilter = Double($0) }
        #expect(seen.all.last == manager.distanceFilter)
    }

    @Test func `a manager refuses a proxy of another type, and keeps its own`() async {
        let manager = LocationManager(source: .simulated(.fast))
        let delegate = RecordingDelegate(of: manager)
        let error = #expect(throws: DelegationError.self) {
            try OtherProxy.installedProxy(for: manager)
        }
        #expect(error?.code == .slotNotHonoured)
        #expect(!OtherProxy.proxy(for: manager).isInstalled && manager.proxy.isInstalled)
        #expect(manager.delegate === delegate)
        manager.startUpdatingLocation()
        _ = await delegate.calls.first(4)
    }

    @Test func `a slow delegate does not delay a stream`() async throws {
        let receiver = try ScriptedReceiver()
        let manager = LocationManager(source: receiver.source)
        let stalled = StalledDelegate()
        manager.delegate = stalled
        let stream = manager.didUpdateLocations
        manager.startUpdatingLocation()
        await receiver.waitForReader()
        for second in 0..<6 { await receiver.sendEpoch(second) }
        #expect(await collect(5, from: stream).count == 5)
        stalled.gate.open()
    }
}

/// A second proxy type for the delegate of a manager, as another module may have.
private final class OtherProxy: DelegateProxyType, LocationManagerDelegate {
    let base: DelegateProxy<LocationManager, any LocationManagerDelegate>

    init(_ base: DelegateProxy<LocationManager, any LocationManagerDelegate>) { self.base = base }

    static let slot = "the other module's"
    static func registerKnownImplementations() { register { OtherProxy($0) } }
}

/// A delegate that returns from its first call only when it is released.
private final class StalledDelegate: LocationManagerDelegate, Sendable {
    let gate = Gate()

    func locationManager(_ manager: LocationManager, didUpdateLocations locations: [Location]) {
        gate.pass()
    }
}

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

/// All ways to use the location manager. Replace `.simulated` by `.any`, or omit the
/// source, to use the receiver that is plugged in.
@Suite(.timeLimit(.generous))
struct LocationManagerExample {
    /// A delegate implements the methods that it needs.
    private final class Dashboard: LocationManagerDelegate, Sendable {
        let lines = Witness<String>()

        func locationManager(_ manager: LocationManager, didUpdateLocations locations: [Location]) {
            for location in locations { lines.note("\(Int(location.speed.rounded())) m/s") }
        }
    }

    @Test func `a delegate, a subscription, a stream and a request work together`() async throws {
        let manager = LocationManager(source: .simulated)

        // A delegate, as in CoreLocation, at any time …
        let dashboard = Dashboard()
        manager.delegate = dashboard

        // … a closure, until its subscription is disposed …
        let accuracies = Witness<Double>()
        let subscription = manager.events.didUpdateLocations.subscribe { locations in
            accuracies.note(locations[0].horizontalAccuracy)
        }

        // … a stream, which is subscribed from here on …
        let locations = manager.didUpdateLocations
        manager.startUpdatingLocation()

        // … and a single location, with a timeout.
        let here = try await manager.requestLocation(timeout: .seconds(600)) {
            $0.horizontalAccuracy < 25
        }

        var path: [Coordinate] = []
        for await new in locations {
            path += new.map(\.coordinate)
            if path.count == 2 { break }
        }
        #expect(here.horizontalAccuracy < 25)
        #expect(path.count == 2)
        #expect(await dashboard.lines.first(2) == ["10 m/s", "10 m/s"])
        #expect(await accuracies.first(2).allSatisfy { $0 < 25 })

        // … until updates are stopped: after this no call begins.
        subscription.dispose()
        manager.stopUpdatingLocation()
    }
}
