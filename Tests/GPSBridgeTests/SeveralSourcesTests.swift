// SPDX-License-Identifier: MIT
import Delegation
import GNSS
import GPSBridge
import GPSReceivers
import GPSTestSupport
import GPSTestTraits
import NMEA
import SimulatedDevices
import Testing

@Suite(.timeLimit(.generous))
struct SeveralSourcesTests {
    @Test func `each location names its receiver`() async throws {
        let receivers = [try ScriptedReceiver(), try ScriptedReceiver(), try ScriptedReceiver()]
        let manager = LocationManager(sources: receivers.map { $0.source })
        let stream = manager.didUpdateLocations
        manager.startUpdatingLocation()
        for (index, receiver) in receivers.enumerated() {
            await receiver.waitForReader()
            for second in 0..<4 { await receiver.sendEpoch(second, latitude: Double(10 + index)) }
        }
        var latitudes: [String: Set<Double>] = [:]
        var count = 0
        for await locations in stream {
            for location in locations {
                latitudes[location.sourceInformation.source, default: []]
                    .insert(location.coordinate.latitude.rounded())
                #expect(location.device == location.sourceInformation.source)
            }
            count += locations.count
            if count == 9 { break }
        }
        #expect(latitudes.count == 3)
        for (index, receiver) in receivers.enumerated() {
            #expect(latitudes[receiver.path] == [Double(10 + index)])
        }
    }

    @Test func `sources of the same name have different names in locations and votes`() async {
        let line = "$GPRMC,120000,A,4812.0,N,01622.0,E,,,210326,,*12"
        let sources: [any DeviceSource] = [
            .sentences([line]), .sentences([line]), .sentences([line]),
        ]
        let name = sources[0].name
        let manager = LocationManager(sources: sources)
        var names: Set<String> = []
        let stream = manager.didUpdateLocations
        manager.startUpdatingLocation()
        for await locations in stream { names.formUnion(locations.map(\.sourceInformation.source)) }
        #expect(names == [name, "\(name) 2", "\(name) 3"])
        let vote = ReceiverCombination.consensus.sources(sources)[0] as? ConsensusSource
        #expect(vote?.members.map(\.name) == [name, "\(name) 2", "\(name) 3"])
    }

    @Test func `updates pause with the last receiver and resume with the first`() async throws {
        let folder = try TemporaryFolder()
        let links = [folder.path("a"), folder.path("b")]
        let receivers = try links.map { try ScriptedReceiver(link: $0) }
        // The clock stands still, so that silence on a busy machine is not an error.
        let stepped = SteppedPool()
        defer { stepped.stop() }
        let manager = stepped.manager(of: receivers)
        let delegate = RecordingDelegate(of: manager)
        manager.startUpdatingLocation()
        // The manager may notice later than the test that a receiver is open.
        for receiver in receivers {
            await receiver.waitForReader()
            for second in 0..<2 { await receiver.sendEpoch(second) }
            await delegate.waitForLocation { $0.device == receiver.path }
        }
        let errors = manager.didFailWithError
        let paused = manager.didPauseLocationUpdates
        receivers[0].unplug()
        for await error in errors {
            let cause = error.cause
            #expect(cause?.code == .disconnected && cause?.device == links[0])
            break
        }
        // A pause would be reported before the error.
        await delegate.calls.wait { $0 == .failure(.deviceUnavailable) }
        #expect(!delegate.calls.all.contains(.paused))
        receivers[1].unplug()
        for await _ in paused.prefix(1) {}
        let resumed = manager.didResumeLocationUpdates
        let back = try ScriptedReceiver(link: links[1])
        for await _ in resumed.prefix(1) {}
        await delegate.calls.wait { $0 == .resumed }
        #expect(delegate.calls.all.filter { $0 == .paused }.count == 1)
        withExtendedLifetime(back) {}
    }

    @Test func `a request is fulfilled by the first receiver with a fix`() async throws {
        let receiver = try ScriptedReceiver()
        let manager = LocationManager(
            sources: [.serial("/no/such/receiver"), receiver.source, .file("/no/such/file")])
        async let location = manager.requestLocation(timeout: .seconds(600))
        await receiver.waitForReader()
        for second in 0..<4 { await receiver.sendEpoch(second) }
        #expect(try await location.sourceInformation.source == receiver.path)
    }

    @Test func `a manager ends with the last of its recordings`() async throws {
        let folder = try TemporaryFolder()
        let bytes = (0..<3).flatMap { ScriptedReceiver.epoch($0) }
        let files = [try folder.file("a", bytes), try folder.file("b", bytes + bytes)]
        let manager = LocationManager(
            sources: files.map { .file($0, speed: .infinity) })
        let stream = manager.didUpdateLocations
        manager.startUpdatingLocation()
        var sources: Set<String> = []
        for await locations in stream {
            sources.formUnion(locations.map(\.sourceInformation.source))
        }
        #expect(sources == Set(files))
    }

    @Test(arguments: [ReceiverCombination.separate, .consensus])
    func `a manager without sources reports an error and ends`(
        _ combination: ReceiverCombination
    ) async throws {
        let manager = LocationManager(sources: [], combining: combination)
        let (locations, errors) = (manager.didUpdateLocations, manager.didFailWithError)
        manager.startUpdatingLocation()
        var failures: [LocationError] = []
        for await error in errors { failures.append(error) }
        for await _ in locations {}
        #expect(failures.map(\.code) == [.ended])
        #expect(failures.first?.cause?.code == .noReceiver)
        let error = await #expect(throws: LocationError.self) {
            try await manager.requestLocation()
        }
        #expect(error?.code == .ended)
    }
}

/// Several receivers of a manager as one.
@Suite(.timeLimit(.generous))
struct ConsensusTests {
    @Test(.undelayed)
    func `a manager of several receivers sends the winner's locations`() async throws {
        let receivers = try (0..<3).map { _ in try ScriptedReceiver() }
        let manager = LocationManager(
            sources: receivers.map(\.source), combining: .consensus)
        let locations = manager.didUpdateLocations
        manager.startUpdatingLocation()
        for receiver in receivers { await receiver.waitForReader() }
        var iterator = locations.makeAsyncIterator()
        var location: Location?
        for second in 0..<20 where location?.fix.vote?.disagreeing.count != 1 {
            await receivers[0].sendEpoch(second)
            await receivers[1].sendEpoch(second)
            await receivers[2].sendEpoch(second, latitude: second < 5 ? 48.2 : 48.3)
            location = await iterator.next()?.last
            #expect(location?.fix.time?.time.second == second)
        }
        let last = try #require(location)
        #expect(last.coordinate.latitude == 48.2)
        #expect(last.fix.vote?.state == .agreed)
        #expect(last.fix.vote?.disagreeing == [receivers[2].path])
        #expect(last.sourceInformation.source == "vote")
        #expect(receivers[..<2].map(\.path).contains(last.device))
    }

    @Test func `the statistics of a vote are those of a receiver, not a sum`() async throws {
        let bytes = (0..<5).flatMap { ScriptedReceiver.epoch($0) }
        let manager = LocationManager(
            sources: [.bytes(bytes), .bytes(bytes)], combining: .consensus)
        let statistics = manager.statistics
        manager.startUpdatingLocation()
        var accepted: [Int] = []
        for await counts in statistics { accepted.append(counts.accepted) }
        #expect(!accepted.isEmpty && accepted.allSatisfy { 1...10 ~= $0 }, "\(accepted)")
    }

    @Test func `separate receivers have no vote`() async throws {
        let receivers = try (0..<2).map { _ in try ScriptedReceiver() }
        let manager = LocationManager(sources: receivers.map(\.source), combining: .separate)
        let location = Task { try await manager.requestLocation(timeout: .seconds(3600)) }
        await receivers[0].waitForReader()
        await receivers[0].sendEpoch(1)
        await receivers[0].sendEpoch(2)
        #expect(try await location.value.fix.vote == nil)
    }
}

/// Every way to write a source compiles, also if its kind is known only at run time.
@Suite(.timeLimit(.generous))
struct SourceChoiceTests {
    @Test(arguments: [true, false])
    func `both branches of a condition may be any kind of source`(_ isTest: Bool) {
        let sources: [any DeviceSource] = [
            isTest ? .tcp(host: "boat", port: 10110) : .simulated,
            isTest ? .simulated(SimulatedReceiver.Configuration()) : .serial("/dev/ttyUSB0"),
            isTest ? .any : .file("track.nmea", speed: 10),
        ]
        let names =
            isTest
            ? ["tcp://boat:10110", "simulated", "any receiver"]
            : ["simulated", "/dev/ttyUSB0", "track.nmea"]
        #expect(sources.map(\.name) == names)
        _ = LocationManager(source: isTest ? .tcp(host: "boat", port: 10110) : .simulated)
        _ = LocationManager(source: isTest ? sources[0] : .any)
        _ = LocationManager(sources: isTest ? [.any] : [.simulated, .standardInput])
        _ = Location.liveUpdates(source: isTest ? .simulated : .udp(port: 10110))
    }

    /// As in a function that accepts any kind of source.
    @Test func `a source in a generic function is accepted`() {
        func manager(_ source: some DeviceSource) -> LocationManager {
            LocationManager(source: source)
        }
        #expect(manager(.simulated).location == nil)
    }
}

/// Evidence against a position, as a manager reports it.
@Suite(.timeLimit(.generous))
struct IntegrityTests {
    @Test func `a position that jumps is an alarm, and stays unchanged`() async throws {
        let folder = try TemporaryFolder()
        // A kilometre to the north, with the same speed.
        let epochs = (0..<13).flatMap { second in
            ScriptedReceiver.epoch(second, latitude: second < 10 ? 48.2 : 48.21)
        }
        let manager = LocationManager(
            source: .file(try folder.file("track.nmea", epochs), speed: 1000))
        let (changes, locations) = (manager.didChangeIntegrity, manager.didUpdateLocations)
        manager.startUpdatingLocation()
        var iterator = changes.makeAsyncIterator()
        let change = try #require(await iterator.next())
        #expect(change.state == .alarm)
        #expect(change.reasons.map(\.test) == [.positionStep], "\(change)")
        let location = await collect(11, from: locations).last
        #expect(location?.coordinate.latitude == 48.21)
        #expect(location?.integrity.state == .alarm)
    }
}
