// SPDX-License-Identifier: MIT
import GPSBridge
import GPSReceivers
import GPSTestSupport
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
