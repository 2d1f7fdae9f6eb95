// SPDX-License-Identifier: MIT
import CoreLocation
import Dispatch
import GPSBridge
import GPSReceivers
import GPSTestSupport
import Glibc
import Testing

@Suite(.timeLimit(.generous))
struct RegionTests {
    private let home = CLCircularRegion(
        center: CLLocationCoordinate2D(latitude: 48.2, longitude: 16.36), radius: 200,
        identifier: "home")

    @Test func `entering and leaving a circle are reported, noise at its edge is not`() async throws
    {
        let (receiver, manager, delegate) = try ScriptedReceiver.managed()
        _ = await delegate.calls.first(1)
        manager.startMonitoring(for: home)
        #expect(manager.monitoredRegions == [home])
        await receiver.waitForReader()
        // Metres north of the middle; one degree is 111.2 km.
        let way = [0, 0, 198, 202, 198, 203, 300, 199, 201, 100, 100, 100]
        for (second, metres) in way.enumerated() {
            await receiver.sendEpoch(second, latitude: 48.2 + Double(metres) / 111_200)
        }
        await delegate.calls.wait { $0 == .state(.inside, "home") }
        let calls = delegate.calls.all.filter {
            if case .authorization = $0 { false } else { true }
        }
        #expect(
            calls == [
                .started("home"), .exited("home"), .state(.outside, "home"), .entered("home"),
                .state(.inside, "home"),
            ])
        manager.stopMonitoring(for: home)
        #expect(manager.monitoredRegions.isEmpty)
        await receiver.waitUntilUnread()
    }

    @Test func `of several crossings at once, exits are reported first`() async throws {
        let (receiver, manager, delegate) = try ScriptedReceiver.managed()
        for (identifier, latitude) in [("a", 48.3), ("b", 48.3), ("y", 48.2), ("z", 48.2)] {
            manager.startMonitoring(
                for: CLCircularRegion(
                    center: CLLocationCoordinate2D(latitude: latitude, longitude: 16.36),
                    radius: 200, identifier: identifier))
        }
        await receiver.waitForReader()
        for (second, latitude) in [48.2, 48.2, 48.3, 48.3, 48.3].enumerated() {
            await receiver.sendEpoch(second, latitude: latitude)
        }
        await delegate.calls.wait { $0 == .entered("b") }
        let crossings: [RecordingDelegate.Call] = [
            .exited("y"), .exited("z"), .entered("a"), .entered("b"),
        ]
        #expect(delegate.calls.all.filter(crossings.contains) == crossings)
    }

    /// A region whose deinit uses its manager.
    private final class LeavingRegion: CLCircularRegion, @unchecked Sendable {
        private weak var manager: CLLocationManager?
        private let released: Witness<Int?>

        init(of manager: CLLocationManager, _ released: Witness<Int?>) {
            (self.manager, self.released) = (manager, released)
            super.init(center: CLLocationCoordinate2D(), radius: 200, identifier: "home")
        }

        required init?(coder: NSCoder) { nil }

        deinit { released.note(manager?.monitoredRegions.count) }
    }

    @Test func `the deinit of a replaced or removed region may use the manager`() {
        let (queue, released) = (DispatchQueue(label: "delegate"), Witness<Int?>())
        let manager = CLLocationManager(source: .sentences([]), queue: queue)
        for _ in 0..<2 {
            manager.startMonitoring(for: LeavingRegion(of: manager, released))
            // The call of `didStartMonitoringFor`, which waits on the queue, refers to the region.
            queue.sync {}
        }
        #expect(released.all == [1])
        manager.stopMonitoring(for: LeavingRegion(of: manager, released))
        #expect(released.all == [1, 0, 0])
    }

    // Each in a separate process, because the configured receiver is that of the whole program.
    @Test func `a region of a released manager is reported by the other managers`() async {
        await #expect(processExitsWith: .exitCode(0)) {
            let receiver = try ScriptedReceiver()
            setenv("GPSBRIDGE_SOURCE", receiver.path, 1)
            let manager = CLLocationManager()
            let delegate = RecordingDelegate(of: manager)
            let here = CLCircularRegion(
                center: CLLocationCoordinate2D(latitude: 48.2, longitude: 16.36), radius: 200,
                identifier: "here")
            CLLocationManager().startMonitoring(for: here)
            // The answer shows that a fix inside the circle has been compared with it.
            manager.requestState(for: here)
            await receiver.sendEpochs(at: Coordinate(latitude: 48.2, longitude: 16.36)) {
                await delegate.calls.wait { $0 == .state(.inside, "here") }
            }
            await receiver.sendEpochs(at: Coordinate(latitude: 48.3, longitude: 16.36)) {
                await delegate.calls.wait { $0 == .exited("here") }
                await delegate.calls.wait { $0 == .state(.outside, "here") }
            }
            precondition(!delegate.calls.all.contains(.started("here")))
        }
    }

    @Test func `any manager lists and stops the regions of the program`() async {
        await #expect(processExitsWith: .exitCode(0)) {
            setenv("GPSBRIDGE_SOURCE", "simulated", 1)
            let home = CLCircularRegion(
                center: CLLocationCoordinate2D(latitude: 48.2, longitude: 16.36), radius: 200,
                identifier: "home")
            let manager = CLLocationManager()
            manager.startMonitoring(for: home)
            precondition(CLLocationManager().monitoredRegions == [home])
            precondition(CLLocationManager(source: .sentences([])).monitoredRegions.isEmpty)
            CLLocationManager(source: .sentences([])).stopMonitoring(for: home)
            precondition(manager.monitoredRegions == [home])
            CLLocationManager().stopMonitoring(for: home)
            precondition(manager.monitoredRegions.isEmpty)
        }
    }

    @Test func `a manager that only monitors a region has the last location`() async throws {
        let (receiver, manager, delegate) = try ScriptedReceiver.managed()
        manager.startMonitoring(for: home)
        await receiver.waitForReader()
        for second in 0..<8 {
            await receiver.sendEpoch(second, latitude: second < 4 ? 48.3 : 48.2)
        }
        await delegate.calls.wait { $0 == .entered("home") }
        #expect(manager.location.map { home.contains($0.coordinate) } == true)
        manager.stopMonitoring(for: home)
        await receiver.waitUntilUnread()
    }

    @Test func `an archive without a centre is not read as a circle at zero degrees`() throws {
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        archiver.encode("home" as NSString, forKey: "kCLRegionCodingKeyIdentifier")
        archiver.finishEncoding()
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
        #expect(CLCircularRegion(coder: unarchiver) == nil)
        let region = try #require(CLRegion(coder: unarchiver))
        #expect(region.notifyOnEntry && region.notifyOnExit)
    }

    @Test func `a region prints its values on one line`() {
        #expect(
            "\(home)" == "CLCircularRegion (identifier:'home', "
                + "center:<+48.20000000,+16.36000000>, radius:200.00m)")
        #expect(home.debugDescription == home.description)
        #expect(
            "\(CLBeaconRegion(uuid: UUID(), identifier: "beacon"))"
                == "CLBeaconRegion (identifier:'beacon')")
    }

    @Test func `monitoring of unsupported regions fails`() async throws {
        let manager = CLLocationManager(source: .sentences([]))
        let delegate = RecordingDelegate(of: manager)
        manager.startMonitoring(for: CLBeaconRegion(uuid: UUID(), identifier: "beacon"))
        manager.startMonitoring(
            for: CLCircularRegion(center: home.center, radius: 1e7, identifier: "planet"))
        #expect(
            await delegate.calls.first(3).dropFirst() == [
                .monitoringFailed("beacon", .regionMonitoringFailure),
                .monitoringFailed("planet", .regionMonitoringFailure),
            ])
        #expect(CLLocationManager.isMonitoringAvailable(for: CLCircularRegion.self))
        #expect(!CLLocationManager.isMonitoringAvailable(for: CLBeaconRegion.self))
    }

    @Test func `a region is archived and copied`() throws {
        home.notifyOnExit = false
        let data = try NSKeyedArchiver.archivedData(
            withRootObject: home, requiringSecureCoding: true)
        let back = try #require(
            try NSKeyedUnarchiver.unarchivedObject(ofClass: CLCircularRegion.self, from: data))
        #expect(back == home && back.radius == 200 && !back.notifyOnExit && back.notifyOnEntry)
        #expect((home.copy() as? CLCircularRegion)?.center.latitude == 48.2)
        #expect(home.contains(home.center) && !home.contains(CLLocationCoordinate2D()))
    }

    @Test func `an archive of a beacon region has all its values`() throws {
        let beacon = CLBeaconRegion(uuid: UUID(), major: 3, identifier: "beacon")
        beacon.notifyEntryStateOnDisplay = true
        let data = try NSKeyedArchiver.archivedData(
            withRootObject: beacon, requiringSecureCoding: true)
        let back = try #require(
            try NSKeyedUnarchiver.unarchivedObject(ofClass: CLBeaconRegion.self, from: data))
        #expect(back == beacon && back.uuid == beacon.uuid && back.major == 3 && back.minor == nil)
        #expect(back.notifyEntryStateOnDisplay)
    }

    @Test func `a monitor's events are changes of its conditions`() async throws {
        let receiver = try ScriptedReceiver()
        let monitor = await CLMonitor("test", source: receiver.source)
        await monitor.add(
            CLMonitor.CircularGeographicCondition(center: home.center, radius: 200),
            identifier: "home", assuming: .satisfied)
        await monitor.add(CLMonitor.BeaconIdentityCondition(uuid: UUID()), identifier: "beacon")
        #expect(await monitor.identifiers == ["beacon", "home"])
        #expect(await monitor.record(for: "home")?.lastEvent.state == .satisfied)
        await receiver.waitForReader()
        for (second, latitude) in [48.2, 48.2, 48.3, 48.3, 48.2, 48.2, 48.2].enumerated() {
            await receiver.sendEpoch(second, latitude: latitude)
        }
        var states: [CLMonitor.Event.State] = []
        for try await event in await monitor.events {
            states.append(event.state)
            if states.count == 3 { break }
        }
        #expect(states == [.unmonitored, .unsatisfied, .satisfied])
        #expect(await monitor.record(for: "home")?.lastEvent.state == .satisfied)
        await monitor.remove("home")
        await receiver.waitUntilUnread()
    }

    @Test func `the first fix corrects an assumed state, also near the edge of the circle`()
        async throws
    {
        let receiver = try ScriptedReceiver()
        let monitor = await CLMonitor("test", source: receiver.source)
        await monitor.add(
            CLMonitor.CircularGeographicCondition(center: home.center, radius: 200),
            identifier: "large", assuming: .unsatisfied)
        await monitor.add(
            CLMonitor.CircularGeographicCondition(center: home.center, radius: 160),
            identifier: "small", assuming: .satisfied)
        await receiver.waitForReader()
        // 180 m north of the centre, and less accurate than the distance to either edge.
        for second in 0..<3 {
            await receiver.sendEpoch(
                second, latitude: 48.2 + 180 / 111_200, longitude: 16.36, hdop: 20)
        }
        var states: [String: CLMonitor.Event.State] = [:]
        for try await event in await monitor.events {
            states[event.identifier] = event.state
            if states.count == 2 { break }
        }
        #expect(states == ["large": .satisfied, "small": .unsatisfied])
    }

    @Test func `while a loop handles an event, the record has the event before it`() async throws {
        let receiver = try ScriptedReceiver()
        let monitor = await CLMonitor("test", source: receiver.source)
        await monitor.add(
            CLMonitor.CircularGeographicCondition(center: home.center, radius: 200),
            identifier: "home")
        await receiver.waitForReader()
        for (second, latitude) in [48.2, 48.2, 48.3, 48.3, 48.3].enumerated() {
            await receiver.sendEpoch(second, latitude: latitude)
        }
        var states: [[CLMonitor.Event.State?]] = []
        for try await event in await monitor.events {
            let record = await monitor.record(for: "home")
            states.append([record?.lastEvent.state, event.state])
            if states.count == 2 { break }
        }
        #expect(states == [[.unknown, .satisfied], [.satisfied, .unsatisfied]])
        #expect(await monitor.record(for: "home")?.lastEvent.state == .unsatisfied)
    }

    @Test func `a condition replaced while its event is handled has its own state`() async throws {
        let monitor = await CLMonitor("test", source: .sentences([]))
        await monitor.add(CLMonitor.BeaconIdentityCondition(uuid: UUID()), identifier: "place")
        for try await event in await monitor.events {
            #expect(event.state == .unmonitored)
            #expect(await monitor.record(for: "place")?.lastEvent.state == .unknown)
            await monitor.add(
                CLMonitor.CircularGeographicCondition(center: home.center, radius: 200),
                identifier: "place", assuming: .satisfied)
            #expect(await monitor.record(for: "place")?.lastEvent.state == .satisfied)
            break
        }
    }

    // The monitor occupies a thread until the change waits.
    @Test(.enabled(if: ProcessInfo.processInfo.activeProcessorCount > 1))
    func `a change of a removed circle is not an event of an equal one that replaces it`()
        async throws
    {
        let (receiver, manager, delegate) = try ScriptedReceiver.managed()
        let circle = CLMonitor.CircularGeographicCondition(center: home.center, radius: 200)
        let monitor = await CLMonitor("test", source: receiver.source)
        await monitor.add(circle, identifier: "home")
        manager.startUpdatingLocation()
        await receiver.waitForReader()
        let gate = DispatchSemaphore(value: 0)
        let (starts, start) = AsyncStream.makeStream(of: Void.self)
        async let replacement: Void = monitor.replace("home", by: circle) {
            start.yield()
            gate.wait()
        }
        for await _ in starts { break }
        let center = Coordinate(latitude: 48.2, longitude: 16.36)
        await receiver.sendEpochs(at: center) { _ = await delegate.locations(2) }
        gate.signal()
        await replacement
        // The monitor begins to read after `replacement`, so the first epochs may not reach it.
        await receiver.sendEpoch(10_000, latitude: center.latitude, longitude: center.longitude)
        var events = await monitor.events.makeAsyncIterator()
        var states: [CLMonitor.Event.State?] = []
        try await receiver.sendEpochs(at: center) { states.append(try await events.next()?.state) }
        for (second, latitude) in [48.2, 48.2, 48.3, 48.3, 48.3].enumerated() {
            await receiver.sendEpoch(
                second + 20_000, latitude: latitude, longitude: center.longitude)
        }
        while states.last != .unsatisfied, let event = try await events.next() {
            states.append(event.state)
        }
        #expect(states == [.satisfied, .unsatisfied])
    }

    @Test func `a program's protocol describes a monitor, for mocks`() async {
        let monitor: any Monitoring = await CLMonitor("test", source: .sentences([]))
        await monitor.add(CLMonitor.BeaconIdentityCondition(uuid: UUID()), identifier: "beacon")
        #expect(await monitor.identifiers == ["beacon"])
    }
}

/// The methods of a monitor that a program uses.
private protocol Monitoring: Sendable {
    var identifiers: [String] { get async }
    func add(_ condition: any CLCondition, identifier: String) async
}

extension CLMonitor: Monitoring {}

extension CLMonitor {
    /// Replaces a condition as soon as `wait` returns. The monitor does nothing else until then.
    fileprivate func replace(
        _ identifier: String, by condition: any CLCondition, after wait: @Sendable () -> Void
    ) {
        wait()
        remove(identifier)
        add(condition, identifier: identifier)
    }
}

/// Requests for the state of a region.
@Suite(.timeLimit(.generous))
struct RegionStateTests {
    private let home = CLCircularRegion(
        center: CLLocationCoordinate2D(latitude: 48.2, longitude: 16.36), radius: 200,
        identifier: "home")
    /// Another circle with the same identifier.
    private let otherHome = CLCircularRegion(
        center: CLLocationCoordinate2D(latitude: 48.3, longitude: 16.36), radius: 200,
        identifier: "home")

    private final class StateDelegate: NSObject, CLLocationManagerDelegate, Sendable {
        struct Answer: Equatable {
            let state: CLRegionState
            let latitude: Double?
        }

        let answers = Witness<Answer>()

        func locationManager(
            _ manager: CLLocationManager, didDetermineState state: CLRegionState,
            for region: CLRegion
        ) {
            let latitude = (region as? CLCircularRegion)?.center.latitude
            answers.note(Answer(state: state, latitude: latitude))
        }
    }

    @Test func `a requested state is reported with the first fix`() async throws {
        let (receiver, manager, delegate) = try ScriptedReceiver.managed()
        manager.requestState(for: home)
        await receiver.waitForReader()
        for second in 0..<3 { await receiver.sendEpoch(second) }
        await delegate.calls.wait { $0 == .state(.inside, "home") }
        await receiver.waitUntilUnread()
        #expect(manager.monitoredRegions.isEmpty)
    }

    @Test func `a requested state is not that of a monitored circle with the same identifier`()
        async throws
    {
        let receiver = try ScriptedReceiver()
        let manager = CLLocationManager(source: receiver.source)
        let delegate = StateDelegate()
        manager.delegate = delegate
        manager.startMonitoring(for: home)
        manager.requestState(for: home)
        await receiver.waitForReader()
        for second in 0..<3 { await receiver.sendEpoch(second) }
        #expect(await delegate.answers.first(1) == [.init(state: .inside, latitude: 48.2)])
        manager.requestState(for: otherHome)
        for second in 3..<6 { await receiver.sendEpoch(second) }
        #expect(await delegate.answers.first(2)[1] == .init(state: .outside, latitude: 48.3))
    }

    @Test func `two circles with the same identifier each have their own answer`() async throws {
        let receiver = try ScriptedReceiver()
        let manager = CLLocationManager(source: receiver.source)
        let delegate = StateDelegate()
        manager.delegate = delegate
        manager.requestState(for: home)
        manager.requestState(for: otherHome)
        await receiver.waitForReader()
        for second in 0..<3 { await receiver.sendEpoch(second) }
        await receiver.waitUntilUnread()
        #expect(
            await delegate.answers.first(2) == [
                .init(state: .outside, latitude: 48.3), .init(state: .inside, latitude: 48.2),
            ])
    }

    @Test func `a requested state is reported although monitoring stops`() async throws {
        let (receiver, manager, delegate) = try ScriptedReceiver.managed()
        manager.startMonitoring(for: home)
        manager.requestState(for: home)
        manager.stopMonitoring(for: home)
        await receiver.waitForReader()
        for second in 0..<3 { await receiver.sendEpoch(second) }
        await delegate.calls.wait { $0 == .state(.inside, "home") }
        await receiver.waitUntilUnread()
    }

    // In a separate process, because the configured receiver is that of the whole program.
    @Test func `a released manager's request does not keep the receiver open`() async {
        await #expect(processExitsWith: .exitCode(0)) {
            let receiver = try ScriptedReceiver()
            setenv("GPSBRIDGE_SOURCE", receiver.path, 1)
            var manager: CLLocationManager? = CLLocationManager()
            manager?.requestState(
                for: CLCircularRegion(
                    center: CLLocationCoordinate2D(latitude: 48.2, longitude: 16.36), radius: 200,
                    identifier: "home"))
            await receiver.waitForReader()
            manager = nil
            await receiver.waitUntilUnread()
        }
    }
}
