// SPDX-License-Identifier: MIT
import GPSBridge
import GPSReceivers
import GPSTestSupport
import SimulatedDevices
import Testing

/// Managers that start when a receiver is already open, lost or at its end.
@Suite(.timeLimit(.generous))
struct LateJoinerTests {
    @Test func `a manager that starts after the first fix gets the following fixes`()
        async throws
    {
        let receiver = try ScriptedReceiver()
        let early = LocationManager(source: receiver.source)
        let first = early.didUpdateLocations
        early.startUpdatingLocation()
        await receiver.waitForReader()
        for second in 0..<4 { await receiver.sendEpoch(second) }
        _ = await collect(2, from: first)

        let late = LocationManager(source: receiver.source)
        let (second, changes) = (late.didUpdateLocations, late.didChangeAuthorization)
        late.startUpdatingLocation()
        for await status in changes where status == .authorizedAlways { break }
        let sending = keepTalking(receiver, heardBy: early)
        let location = try await late.requestLocation(timeout: .seconds(3600))
        #expect(location.device == early.location?.device)
        #expect(await collect(2, from: second).count == 2)
        sending.cancel()
    }

    @Test func `after stop and start, updates continue on a line kept open by another manager`()
        async throws
    {
        let receiver = try ScriptedReceiver()
        let one = LocationManager(source: receiver.source)
        let two = LocationManager(source: receiver.source)
        let (a, b) = (one.didUpdateLocations, two.didUpdateLocations)
        await start([one, two])
        await receiver.waitForReader()
        for second in 0..<4 { await receiver.sendEpoch(second) }
        _ = await (collect(1, from: a), collect(1, from: b))
        one.stopUpdatingLocation()
        let changes = one.didUpdateLocations
        one.startUpdatingLocation()
        let sending = keepTalking(receiver, heardBy: two)
        #expect(await collect(1, from: changes).count == 1)
        sending.cancel()
    }

    @Test func `a link created later to an open tty is the same receiver`() async throws {
        let folder = try TemporaryFolder()
        let link = folder.path("gps")
        let source = SerialSource(link, baudRate: .default)
        let early = LocationManager(source: source)
        let first = early.didUpdateLocations
        let failures = early.didFailWithError
        early.startUpdatingLocation()
        for await failure in failures where failure.cause?.code == .notFound { break }
        let receiver = try ScriptedReceiver(link: link)
        await receiver.waitForReader()
        for second in 0..<4 { await receiver.sendEpoch(second) }
        _ = await collect(1, from: first)

        let late = LocationManager(source: source)
        let sending = keepTalking(receiver, heardBy: early)
        let location = try await late.requestLocation(timeout: .seconds(3600))
        #expect(location.device == early.location?.device)
        sending.cancel()
    }

    @Test
    func `a request after the end fails immediately, and a new manager reads the source again`()
        async throws
    {
        let folder = try TemporaryFolder()
        let path = try folder.file("track.nmea", (0..<3).flatMap { ScriptedReceiver.epoch($0) })
        let source = FileSource(path, speed: .infinity)
        let manager = LocationManager(source: source)
        let stream = manager.didUpdateLocations
        manager.startUpdatingLocation()
        for await _ in stream {}
        let refusal = await #expect(throws: LocationError.self) {
            try await manager.requestLocation()
        }
        #expect(refusal?.cause?.code == .ended)

        let late = LocationManager(source: source)
        let (again, seen) = (late.didUpdateLocations, Witness<Int>())
        late.startUpdatingLocation()
        for await _ in again { seen.note(1) }
        #expect(seen.all.count == 3)
    }

    @Test func `a predicate may use the manager`() async throws {
        let manager = LocationManager(source: .simulated)
        let location = try await manager.requestLocation { _ in
            // Uses the manager, which must not be locked.
            manager.desiredAccuracy < 0 && manager.location != nil
        }
        #expect(location.speed > 0)
    }

    @Test(arguments: [0, -1, Double.nan, 1e-300])
    func `an invalid speed does not trap`(_ speed: Double) async throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("track.nmea", (0..<3).flatMap { ScriptedReceiver.epoch($0) })
        let manager = LocationManager(source: .file(path, speed: speed))
        let failure = await #expect(throws: LocationError.self) {
            try await manager.requestLocation(timeout: .milliseconds(300))
        }
        #expect(failure?.code == .timedOut)
    }

    /// Sends an epoch whenever a manager has received the previous one, from 12:00:10 until cancelled.
    private func keepTalking(
        _ receiver: ScriptedReceiver, heardBy manager: LocationManager
    ) -> Task<Void, Never> {
        Task {
            var second = 10
            while !Task.isCancelled {
                let heard = manager.didUpdateLocations
                await receiver.sendEpoch(second)
                second += 1
                _ = await collect(1, from: heard)
            }
        }
    }
}
