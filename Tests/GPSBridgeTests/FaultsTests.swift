// SPDX-License-Identifier: MIT
import FoundationEssentials
import GNSS
import GPSBridge
import GPSIO
import GPSReceivers
import GPSTestSupport
import NMEA
import SimulatedDevices
import Testing

/// Faults on a real tty, through the whole pipeline: it delivers nothing wrong, and recovers.
@Suite(.serialized, .timeLimit(.generous))
struct FaultsTests {
    /// A receiver at noon at sixty times the speed, with a fault after ten seconds.
    private func configuration(_ fault: String) throws -> SimulatedReceiver.Configuration {
        var configuration = SimulatedReceiver.Configuration()
        configuration.start = UTCTime(unixNanoseconds: 1_774_094_400_000_000_000)
        configuration.pace = .accelerated(by: 60)
        configuration.faults = [try Fault("10s: \(fault)")]
        return configuration
    }

    /// The positions of a receiver without faults, by second.
    private func clean(_ count: Int) throws -> [Coordinate] {
        var configuration = try configuration("jam")
        configuration.faults = []
        var receiver = SimulatedReceiver(configuration)
        var decoder = NMEADecoder()
        var coordinates: [Coordinate] = []
        func take(_ event: DecoderEvent) {
            if case .fix(let fix, _) = event, let coordinate = fix.coordinate {
                coordinates.append(coordinate)
            }
        }
        for _ in 0..<count { decoder.push(receiver.next().bytes.span, take) }
        decoder.finish(take)
        return coordinates
    }

    private func second(_ location: Location) -> Int {
        Int(location.timestamp.timeIntervalSince1970) - 1_774_094_400
    }

    /// The locations of a manager up to the first that was determined at a second or later. Then
    /// waits for `calls` of the delegate: it gets no pending call of a manager that has stopped.
    private func locations(
        of manager: LocationManager, until last: Int, and calls: () async -> Void = {}
    ) async -> [Location] {
        let stream = manager.didUpdateLocations
        manager.startUpdatingLocation()
        var all: [Location] = []
        for await locations in stream {
            all += locations
            if locations.contains(where: { second($0) >= last }) { break }
        }
        await calls()
        manager.stopUpdatingLocation()
        return all
    }

    /// The locations of a manager up to the first that was determined at a second or later. Up to
    /// another second each is delivered before the time advances. Then waits for `calls`.
    private func locations(
        of manager: LocationManager, stepping clock: ManualClock, from faults: Int, until last: Int,
        and calls: () async -> Void = {}
    ) async -> [Location] {
        let locations = Witness<Location>()
        let stream = manager.didUpdateLocations
        let reading = Task {
            for await all in stream { for location in all { locations.note(location) } }
        }
        manager.startUpdatingLocation()
        _ = await locations.first(1)
        for second in 1...faults {
            clock.advance(by: .seconds(1))
            _ = await locations.first(second + 1)
        }
        while !Task.isCancelled, !locations.all.contains(where: { second($0) >= last }) {
            clock.advance(by: .seconds(1))
            _ = await Poller.shared.sleep(until: .now + .milliseconds(16))
        }
        await calls()
        manager.stopUpdatingLocation()
        reading.cancel()
        return locations.all
    }

    @Test(arguments: [
        "bit-errors 0.005% for 5s", "drop-bytes 0.05% for 5s", "repeat-bytes 0.05% for 5s",
        "cut-sentences 20% for 5s", "glue-sentences 30% for 5s", "bad-checksums 20% for 5s",
        "wrong-baud 4800 for 5s", "ubx 30% for 5s", "rtcm3 30% for 5s", "cut-ubx 30% for 5s",
        "cut-rtcm3 30% for 5s", "silence for 5s", "stall for 5s", "burst 3 for 6s",
        "late 900ms for 5s", "jam for 5s", "lose-fix for 5s", "unplug for 5s",
    ])
    func `fixes are correct and in order, and continue after the fault`(
        _ fault: String
    ) async throws {
        let clock = ManualClock()
        var configuration = try configuration(fault)
        configuration.pace = .stepped(by: clock)
        let manager = LocationManager(source: .simulated(configuration))
        let delivered = await locations(of: manager, stepping: clock, from: 9, until: 22)
        let right = try clean(1 + (delivered.map(second).max() ?? 0))
        #expect(delivered.allSatisfy { $0.coordinate == right[second($0)] })
        #expect(zip(delivered, delivered.dropFirst()).allSatisfy { $0.timestamp < $1.timestamp })
        #expect(delivered.allSatisfy { $0.sourceInformation.isSimulatedBySoftware })
        #expect(delivered.contains { second($0) < 10 })
    }

    @Test(arguments: ["jam for 5s", "lose-fix for 5s"])
    func `a lost fix is reported once, without locations until it returns`(_ fault: String)
        async throws
    {
        // With a stepped clock the receiver waits for its reader; in real time a busy machine may
        // lose the fault.
        let clock = ManualClock()
        var configuration = try configuration(fault)
        configuration.pace = .stepped(by: clock)
        let manager = LocationManager(source: .simulated(configuration))
        let delegate = RecordingDelegate(of: manager)
        let delivered = await locations(of: manager, stepping: clock, from: 9, until: 20) {
            await delegate.waitForLocation { second($0) >= 20 }
        }
        #expect(delivered.allSatisfy { !(10..<15).contains(second($0)) })
        #expect(delegate.calls.all.filter { $0 == .failure(.locationUnknown) }.count == 1)
    }

    @Test func `unplugging and replugging are reported`() async throws {
        let manager = LocationManager(source: .simulated(try configuration("unplug for 5s")))
        let delegate = RecordingDelegate(of: manager)
        // It is the same receiver as before: its time has continued. Second 10 was sent in part.
        let delivered = await locations(of: manager, until: 18) {
            await delegate.calls.wait { $0 == .resumed }
        }
        #expect(delivered.allSatisfy { !(11..<15).contains(second($0)) })
        let interruption: [RecordingDelegate.Call] = [
            .paused, .failure(.deviceUnavailable), .resumed,
        ]
        #expect(delegate.calls.all.filter(interruption.contains) == interruption)
    }

    @Test func `a receiver on USB returns when a fault no longer cuts its power`() async throws {
        var configuration = try configuration("power-off for 5s")
        configuration.personality = .ublox8
        let manager = LocationManager(source: .simulated(configuration))
        let delivered = await locations(of: manager, until: 18)
        #expect(delivered.contains { second($0) >= 18 })
    }

    @Test func `a receiver on USB returns when its supply is switched on again`() async throws {
        let supply = SupplySwitch()
        var configuration = try configuration("jam for 1ms")
        configuration.personality = .ublox8
        configuration.supply = supply
        let manager = LocationManager(source: .simulated(configuration))
        let delegate = RecordingDelegate(of: manager)
        manager.startUpdatingLocation()
        await delegate.calls.wait { if case .locations = $0 { true } else { false } }
        supply.cut()
        await delegate.calls.wait { $0 == .paused }
        supply.restore()
        await delegate.calls.wait { $0 == .resumed }
    }

    @Test func `a manager that has stopped does not wait for a lost receiver`()
        async throws
    {
        let clock = ManualClock()
        var configuration = try configuration("unplug")
        configuration.faults = [Fault(.unplug(as: nil), at: 100)]
        configuration.pace = .stepped(by: clock)
        let manager = LocationManager(source: .simulated(configuration))
        let pauses = manager.didPauseLocationUpdates
        manager.startUpdatingLocation()
        clock.advance(by: .seconds(200))
        for await _ in pauses { break }
        manager.stopUpdatingLocation()
        // A new start is a new receiver, which has not been unplugged yet. It waits for its reader,
        // which therefore reads most of the hundred epochs before it is unplugged.
        #expect(await collect(3, from: manager.didUpdateLocations, starting: manager).count == 3)
        withExtendedLifetime(clock) {}
    }

    @Test func `a receiver that could not be opened is not opened again before the deadline`()
        async throws
    {
        let source = SimulatedSource(try configuration("unplug"))
        let availability = try #require(source.availability())
        let deadline = MonotonicInstant.now + .milliseconds(20)
        await availability.next(until: deadline)
        #expect(MonotonicInstant.now >= deadline)
    }

    @Test func `the updates of an unplugged receiver end with its simulation`() async throws {
        var clock: ManualClock? = ManualClock()
        var configuration = try configuration("unplug")
        configuration.faults = [Fault(.unplug(as: nil), at: 1)]
        configuration.pace = .stepped(by: try #require(clock))
        let manager = LocationManager(source: .simulated(configuration))
        let (locations, pauses) = (manager.didUpdateLocations, manager.didPauseLocationUpdates)
        manager.startUpdatingLocation()
        for await _ in locations { break }
        clock?.advance(by: .seconds(2))
        for await _ in pauses { break }
        clock = nil
        for await _ in locations {}
    }

    // MARK: Through a tty

    /// A simulated receiver on a tty with a link, and a manager that has only the link.
    private func whileSimulating<Result: Sendable>(
        _ configuration: SimulatedReceiver.Configuration,
        _ body: (LocationManager, Witness<String?>) async throws -> Result
    ) async throws -> Result {
        let folder = try TemporaryFolder()
        let plugs = Witness<String?>()
        let link = folder.path("gps")
        let terminal = try SimulatedTerminal(configuration, link: link) { plugs.note($0) }
        let simulation = Simulation(configuration, outputs: [terminal])
        // On a background thread, because on a busy machine other tests would interrupt it.
        let run = Task(executorPreference: BackgroundExecutor.shared) {
            // On a busy machine the faults might be over before the tty is opened.
            await terminal.waitForReader()
            return try await simulation.run()
        }
        defer { run.cancel() }
        return try await body(LocationManager(source: .serial(link)), plugs)
    }

    @Test func `a receiver that returns under its name is read again`() async throws {
        var configuration = try configuration("unplug for 5s")
        configuration.pace = .accelerated(by: 10)
        try await whileSimulating(configuration) { manager, _ in
            let resumes = manager.didResumeLocationUpdates
            let delivered = await locations(of: manager, until: 20)
            #expect(!delivered.isEmpty)
            #expect(delivered.allSatisfy { !(11..<15).contains(second($0)) })
            for await _ in resumes { break }
        }
    }

    @Test func `a receiver that returns under another name is not read`() async throws {
        var configuration = try configuration("unplug as other for 5s")
        configuration.pace = .accelerated(by: 10)
        try await whileSimulating(configuration) { manager, plugs in
            let delegate = RecordingDelegate(of: manager)
            manager.startUpdatingLocation()
            let names = await plugs.first(2)
            #expect(names[0] == nil)
            #expect(names[1]?.hasSuffix("/other") == true)
            await delegate.calls.wait { $0 == .paused }
            #expect(!delegate.calls.all.contains(.resumed))
        }
    }

    @Test func `a simulated receiver on a tty is detected from its sentences`() async throws {
        for name in ["generic", "ublox9", "trimble", "nmea20"] {
            var configuration = try configuration("spoof 500n")
            configuration.personality = try #require(Personality.named(name))
            try await whileSimulating(configuration) { manager, _ in
                let location = try await manager.requestLocation(timeout: .seconds(3600))
                #expect(location.sourceInformation.isSimulatedBySoftware, "\(name)")
            }
        }
    }

    @Test func `a date that is 1024 weeks old is corrected and marked`() async throws {
        var configuration = try configuration("jam for 1ms")
        configuration.start = nil
        configuration.faults = [Fault(.weekRollover)]
        configuration.pace = .realTime
        configuration.rate = 10
        try await whileSimulating(configuration) { manager, _ in
            let location = try await manager.requestLocation(timeout: .seconds(3600))
            #expect(abs(location.timestamp.timeIntervalSinceNow) < 3600)
            #expect(location.fix.receivedDate != nil)
        }
    }
}

/// Starts a manager, and waits for the first locations of a stream.
private func collect(
    _ count: Int, from stream: some AsyncSequence<[Location], Never> & Sendable,
    starting manager: LocationManager
) async -> [Location] {
    manager.startUpdatingLocation()
    defer { manager.stopUpdatingLocation() }
    return await collect(count, from: stream)
}
