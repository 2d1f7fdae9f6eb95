// SPDX-License-Identifier: MIT
import GPSBridge
import GPSReceivers
import GPSTestSupport
import SimulatedDevices
import Testing

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
