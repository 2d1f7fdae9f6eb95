// SPDX-License-Identifier: MIT
import GNSS
import GPSBridge
import GPSReceivers
import GPSTestSupport
import Glibc
import SimulatedDevices
import Testing

@Suite(.timeLimit(.generous))
struct LocationManagerTests {
    /// Starts updates when it is authorized, as programs for CoreLocation do.
    private final class Ported: LocationManagerDelegate, Sendable {
        let locations = Witness<Location>()

        func locationManagerDidChangeAuthorization(_ manager: LocationManager) {
            switch manager.authorizationStatus {
            case .notDetermined: manager.requestWhenInUseAuthorization()
            case .denied: Issue.record("a simulated receiver is denied")
            case .authorizedAlways: manager.startUpdatingLocation()
            }
        }

        func locationManager(
            _ manager: LocationManager, didUpdateLocations locations: [Location]
        ) {
            for location in locations { self.locations.note(location) }
        }
    }

    @Test func `a request determines the authorization, so that a ported program starts`() async {
        let manager = LocationManager(source: .simulated)
        let delegate = Ported()
        manager.delegate = delegate
        #expect(await delegate.locations.first(1).count == 1)
        #expect(manager.authorizationStatus == .authorizedAlways)
    }

    @Test(.disabled(if: getuid() == 0, "root may read any file"))
    func `a request reports a receiver that may not be read`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("gps", [])
        chmod(path, 0)
        let vote = ConsensusSource([.init(SerialSource(path)), .init(SerialSource(path + "2"))])
        let both = ConsensusSource([.init(SerialSource(path)), .init(SerialSource(path))])
        let sources: [any DeviceSource] = [SerialSource(path), vote, both]
        for (source, isDenied) in zip(sources, [true, false, true]) {
            let manager = LocationManager(source: source)
            manager.requestAlwaysAuthorization()
            #expect((manager.authorizationStatus == .denied) == isDenied)
        }
    }

    @Test func `a delegate and two streams all see every location`() async throws {
        // With a stepped clock, all locations fit into the streams' buffers. In real time, a busy
        // machine may read one stream later than the other, after its first locations were dropped.
        let clock = ManualClock()
        var configuration = SimulatedReceiver.Configuration()
        configuration.pace = .stepped(by: clock)
        let manager = LocationManager(source: .simulated(configuration))
        let delegate = RecordingDelegate(of: manager)
        let first = manager.didUpdateLocations
        let second = manager.didUpdateLocations
        manager.startUpdatingLocation()
        clock.advance(by: .seconds(30))
        async let a = collect(30, from: first)
        async let b = collect(30, from: second)
        let (one, two) = await (a, b)
        #expect(one == two)
        #expect(zip(one, one.dropFirst()).allSatisfy { $0.timestamp < $1.timestamp })
        // Authorization twice (assigned, then opened) and the same locations.
        _ = await delegate.calls.first(32)
        #expect(Array(delegate.locations.prefix(30)) == one)
        withExtendedLifetime(clock) {}
    }

    @Test func `simulated data is marked`() async throws {
        let manager = LocationManager(source: .simulated(.fast))
        let location = try await manager.requestLocation()
        #expect(location.sourceInformation.isSimulatedBySoftware)
        #expect(!location.sourceInformation.isProducedByAccessory)
        #expect(location.fix.quality == .simulated)
    }

    @Test func `a fix is complete`() async throws {
        // With a stepped clock it waits for its reader; in real time a busy machine may lose sentences.
        let clock = ManualClock()
        var configuration = SimulatedReceiver.Configuration()
        configuration.pace = .stepped(by: clock)
        let manager = LocationManager(source: .simulated(configuration))
        var locations = manager.didUpdateLocations.makeAsyncIterator()
        manager.startUpdatingLocation()
        // The first epochs precede the first satellite lists. Several epochs do not fit into the
        // tty at once: a pause of the receiver within one of them would end it.
        var last: Location?
        for _ in 0..<10 {
            last = await locations.next()?.last
            clock.advance(by: .seconds(1))
        }
        let location = try #require(last)
        #expect(location.horizontalAccuracy > 0 && location.verticalAccuracy > 0)
        #expect(location.speed > 9.9 && location.course >= 0)
        #expect(location.altitude > 160 && location.ellipsoidalAltitude > location.altitude)
        #expect(location.fix.dilution.hdop != nil && location.fix.dilution.vdop != nil)
        #expect(location.satellites.satellites.count > 8)
        #expect(location.satellites.satellites.contains { $0.isUsed })
        #expect(location.fix.time != nil && !location.isTimestampFromSystemClock)
        withExtendedLifetime(clock) {}
    }

    @Test func `a delegate assigned late gets the same locations as streams`() async throws {
        let manager = LocationManager(source: .simulated(.fast))
        let stream = manager.didUpdateLocations
        manager.startUpdatingLocation()
        _ = await collect(3, from: stream)
        let delegate = RecordingDelegate(of: manager)
        #expect(manager.delegate === delegate)
        _ = await delegate.calls.first(4)
        manager.delegate = nil
        #expect(await collect(3, from: manager.didUpdateLocations).count == 3)
    }

    @Test func `a delegate is called after the proxy has been removed`() async {
        let manager = LocationManager(source: .simulated(.fast))
        let stream = manager.didUpdateLocations
        LocationManagerProxy.setCurrentDelegate(nil, for: manager)
        let delegate = RecordingDelegate(of: manager)
        manager.startUpdatingLocation()
        _ = await delegate.calls.first(4)
        #expect(await collect(3, from: stream).count == 3)
    }

    @Test func `managers of one receiver share it, and the last one closes it`() async throws {
        let receiver = try ScriptedReceiver()
        let one = LocationManager(source: receiver.source)
        let two = LocationManager(source: receiver.source)
        let (a, b) = (one.didUpdateLocations, two.didUpdateLocations)
        await start([one, two])
        await receiver.waitForReader()
        for second in 0..<4 { await receiver.sendEpoch(second) }
        #expect(await collect(2, from: a) == collect(2, from: b))
        one.stopUpdatingLocation()
        for second in 4..<8 { await receiver.sendEpoch(second) }
        #expect(await collect(3, from: b).count == 3)
        #expect(receiver.hasReader)
        two.stopUpdatingLocation()
        await receiver.waitUntilUnread()
        #expect(!receiver.hasReader)
    }

    @Test func `releasing the manager closes the receiver and ends the streams`() async throws {
        let receiver = try ScriptedReceiver()
        var manager: LocationManager? = LocationManager(source: receiver.source)
        let stream = try #require(manager?.didUpdateLocations)
        manager?.startUpdatingLocation()
        await receiver.waitForReader()
        manager = nil
        for await _ in stream {}
        await receiver.waitUntilUnread()
        #expect(!receiver.hasReader)
    }

    @Test func `unplugging is reported, and the receiver is read again when it returns`()
        async throws
    {
        let folder = try TemporaryFolder()
        let link = folder.path("gps")
        var receiver = try ScriptedReceiver(link: link)
        let manager = LocationManager(source: receiver.source)
        let delegate = RecordingDelegate(of: manager)
        let (locations, pauses) = (manager.didUpdateLocations, manager.didPauseLocationUpdates)
        let resumes = manager.didResumeLocationUpdates
        manager.startUpdatingLocation()
        await receiver.waitForReader()
        for second in 0..<4 { await receiver.sendEpoch(second) }
        _ = await collect(1, from: locations)

        receiver.unplug()
        for await _ in pauses { break }
        receiver = try ScriptedReceiver(link: link)
        for await _ in resumes { break }
        await receiver.waitForReader()
        for second in 10..<14 { await receiver.sendEpoch(second) }
        for await location in locations where location[0].fix.time?.time.second ?? 0 >= 10 { break }

        let interruption: [RecordingDelegate.Call] = [
            .paused, .failure(.deviceUnavailable), .resumed,
        ]
        await delegate.calls.wait { $0 == .resumed }
        #expect(delegate.calls.all.filter(interruption.contains) == interruption)
    }

    @Test func `a start while a receiver is lost is not reported as a resumption`() async throws {
        let folder = try TemporaryFolder()
        let link = folder.path("gps")
        var receiver = try ScriptedReceiver(link: link)
        let manager = LocationManager(source: SerialSource(link, baudRate: .default))
        let delegate = RecordingDelegate(of: manager)
        // The request keeps the receiver open, and has no updates that could pause.
        let request = Task {
            try await manager.requestLocation(timeout: .seconds(3600)) {
                $0.coordinate.latitude > 80
            }
        }
        await receiver.waitForReader()
        await receiver.sendEpoch(0)
        receiver.unplug()
        manager.startUpdatingLocation()
        await delegate.calls.wait { $0 == .failure(.deviceUnavailable) }
        let paused = delegate.calls.all.contains(.paused)
        receiver = try ScriptedReceiver(link: link)
        await receiver.sendEpochs {
            // The epoch before the loss, which is further north, may be delivered late.
            await delegate.waitForLocation { $0.coordinate.latitude < 48 }
        }
        #expect(delegate.calls.all.contains(.resumed) == paused)
        request.cancel()
    }

    @Test func `no location is delivered within the distance filter`() async throws {
        let receiver = try ScriptedReceiver()
        let manager = LocationManager(source: receiver.source)
        manager.distanceFilter = 100
        let stream = manager.didUpdateLocations
        manager.startUpdatingLocation()
        await receiver.waitForReader()
        // 0.0004 degrees of latitude are 44 m.
        for second in 0..<10 {
            await receiver.sendEpoch(second, latitude: 48 + 0.0004 * Double(second))
        }
        let delivered = await collect(3, from: stream).map { $0.fix.time?.time.second }
        #expect(delivered == [0, 3, 6])
    }

    @Test func `a lost fix is reported once as a failure`() async throws {
        let receiver = try ScriptedReceiver()
        // The clock stands still, so that silence on a busy machine is not another failure.
        let stepped = SteppedPool()
        defer { stepped.stop() }
        let manager = stepped.manager(of: receiver)
        let delegate = RecordingDelegate()
        manager.delegate = delegate
        let (locations, failures) = (manager.didUpdateLocations, manager.didFailWithError)
        manager.startUpdatingLocation()
        await receiver.waitForReader()
        for second in 0..<3 { await receiver.sendEpoch(second) }
        for second in 3..<9 { await receiver.sendEpoch(second, quality: .invalid) }
        for second in 9..<12 { await receiver.sendEpoch(second) }
        for await location in locations where location[0].fix.time?.time.second == 10 { break }
        // The delegate is called later than the streams, and not any more after a stop.
        await delegate.waitForLocation { $0.fix.time?.time.second == 10 }
        manager.stopUpdatingLocation()
        var seen: [LocationError] = []
        for await failure in failures {
            seen.append(failure)
            break
        }
        #expect(seen == [LocationError(.locationUnknown)])
        #expect(delegate.calls.all.count { $0 == .failure(.locationUnknown) } == 1)
        #expect(manager.location?.fix.time?.time.second ?? 0 >= 10)
    }
}

extension SimulatedReceiver.Configuration {
    /// A receiver with 50 fixes per second.
    static var fast: Self {
        var configuration = Self()
        configuration.rate = 50
        return configuration
    }
}

/// Starts the managers of a receiver, and waits until each has joined it. A manager may join later
/// than another one opens the receiver.
func start(_ managers: [LocationManager]) async {
    let authorizations = managers.map(\.didChangeAuthorization)
    for manager in managers { manager.startUpdatingLocation() }
    for statuses in authorizations {
        for await status in statuses where status == .authorizedAlways { break }
    }
}

/// Waits for the first locations of a stream.
func collect(
    _ count: Int, from stream: some AsyncSequence<[Location], Never> & Sendable
) async -> [Location] {
    var collected: [Location] = []
    for await locations in stream {
        collected += locations
        if collected.count >= count { break }
    }
    return Array(collected.prefix(count))
}

/// Counts the locations of a stream until it ends.
func countLocations(of stream: some AsyncSequence<[Location], Never> & Sendable) async -> Int {
    var count = 0
    for await locations in stream { count += locations.count }
    return count
}

@Suite(.timeLimit(.generous))
struct LocationRequestTests {
    /// A timeout that no request reaches, for any time that a busy machine takes.
    private static let never = Duration.seconds(3600)

    @Test func `one fix is delivered and the receiver is closed again`() async throws {
        let receiver = try ScriptedReceiver()
        let manager = LocationManager(source: receiver.source)
        async let location = manager.requestLocation(timeout: Self.never)
        await receiver.waitForReader()
        for second in 0..<2 { await receiver.sendEpoch(second) }
        #expect(try await location.fix.time?.time.second == 0)
        await receiver.waitUntilUnread()
        #expect(!receiver.hasReader)
    }

    @Test func `a request waits for a fix of the desired accuracy`() async throws {
        let receiver = try ScriptedReceiver()
        let manager = LocationManager(source: receiver.source)
        manager.desiredAccuracy = 10
        async let location = manager.requestLocation(timeout: Self.never)
        await receiver.waitForReader()
        await receiver.sendEpoch(0, hdop: 5)
        await receiver.sendEpoch(1, hdop: 3)
        await receiver.sendEpoch(2, hdop: 1)
        await receiver.sendEpoch(3, hdop: 1)
        #expect(try await location.fix.time?.time.second == 2)
    }

    /// Requests a location of a receiver that sends fixes with these DOPs. The request times out
    /// after the last but one of them, when the last has begun. The receiver's clock stands still,
    /// so that it is not silent, which would be the cause of the error.
    private func requestUntilTimeOut(
        hdops: [Double],
        _ request:
            @escaping @Sendable (LocationManager, TestClock) async throws
            -> Location
    ) async throws -> Location {
        let receiver = try ScriptedReceiver()
        let stepped = SteppedPool()
        defer { stepped.stop() }
        let manager = stepped.manager(of: receiver)
        manager.desiredAccuracy = 1
        let (stream, clock) = (manager.didUpdateLocations, TestClock())
        manager.startUpdatingLocation()
        await receiver.waitForReader()
        async let location = request(manager, clock)
        await clock.waitForSleeper()
        for (second, hdop) in hdops.enumerated() { await receiver.sendEpoch(second, hdop: hdop) }
        _ = await collect(hdops.count - 1, from: stream)
        clock.advance(by: .seconds(60))
        return try await location
    }

    @Test func `at the timeout the best fix so far is returned`() async throws {
        let location = try await requestUntilTimeOut(hdops: [5, 2, 3, 9]) { manager, clock in
            try await manager.requestLocation(timeout: .seconds(60), clock: clock)
        }
        #expect(location.fix.dilution.hdop == 2)
    }

    @Test func `at the timeout a fix must still satisfy the predicate`() async throws {
        await #expect(throws: LocationError(.timedOut)) {
            try await requestUntilTimeOut(hdops: [5, 2, 3, 9]) { manager, clock in
                try await manager.requestLocation(timeout: .seconds(60), clock: clock) { _ in false
                }
            }
        }
    }

    @Test func `at the end of the source the best fix so far is returned`() async throws {
        let hdops = [5.0, 2, 9].enumerated()
        let manager = LocationManager(
            source: .bytes(hdops.flatMap { ScriptedReceiver.epoch($0.offset, hdop: $0.element) }))
        manager.desiredAccuracy = 1
        let location = try await manager.requestLocation()
        #expect(location.fix.dilution.hdop == 2)
    }

    @Test func `without a fix a request fails at the timeout`() async throws {
        let receiver = try ScriptedReceiver()
        let stepped = SteppedPool()
        defer { stepped.stop() }
        let manager = stepped.manager(of: receiver)
        let changes = manager.didChangeAuthorization
        manager.startUpdatingLocation()
        for await status in changes where status == .authorizedAlways { break }
        let clock = TestClock()
        let request = Task {
            try await manager.requestLocation(timeout: .seconds(60), clock: clock)
        }
        await clock.waitForSleeper()
        clock.advance(by: .seconds(60))
        await #expect(throws: LocationError(.timedOut)) { try await request.value }
    }

    @Test func `without an open device the error does not mention the antenna`() async throws {
        let manager = LocationManager(source: .serial("/no/such/tty"))
        let error = await #expect(throws: LocationError.self) {
            try await manager.requestLocation(timeout: .zero)
        }
        #expect(error?.code == .timedOut)
        #expect(error?.description.contains("antenna") == false)
        #expect(error?.description.contains("/no/such/tty") == true)
    }

    @Test func `the error of a timeout names a missing device as the cause`() async throws {
        let folder = try TemporaryFolder()
        let manager = LocationManager(source: .serial(folder.path("gps")))
        let failures = manager.didFailWithError
        manager.startUpdatingLocation()
        for await failure in failures where failure.cause?.code == .notFound { break }
        let error = await #expect(throws: LocationError.self) {
            try await manager.requestLocation(timeout: .milliseconds(50))
        }
        #expect(error?.cause?.code == .notFound)
    }

    @Test func `cancelling the task ends the request and closes the receiver`() async throws {
        let receiver = try ScriptedReceiver()
        let manager = LocationManager(source: receiver.source)
        let task = Task { try await manager.requestLocation(timeout: Self.never) }
        await receiver.waitForReader()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        await receiver.waitUntilUnread()
        #expect(!receiver.hasReader)
    }

    @Test func `a request works during updates and does not stop them`() async throws {
        let manager = LocationManager(source: .simulated)
        let stream = manager.didUpdateLocations
        manager.startUpdatingLocation()
        _ = try await manager.requestLocation()
        #expect(await collect(2, from: stream).count == 2)
    }

    @Test func `a hundred concurrent requests all succeed`() async throws {
        let manager = LocationManager(source: .simulated)
        try await withThrowingTaskGroup(of: Location.self) { group in
            for _ in 0..<100 { group.addTask { try await manager.requestLocation() } }
            var answers = 0
            for try await _ in group { answers += 1 }
            #expect(answers == 100)
        }
    }
}
