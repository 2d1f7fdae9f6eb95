// SPDX-License-Identifier: MIT
import Dispatch
import FoundationEssentials
import GNSS
import GPSBridge
import GPSIO
import GPSReceivers
import GPSTestSupport
import Glibc
import SimulatedDevices
import Testing

/// The same file repeatedly; `GPSBRIDGE_REPLAYS=1000` for more repetitions.
@Suite(.timeLimit(.generous))
struct ReplayTests {
    private static let count =
        getenv("GPSBRIDGE_REPLAYS").flatMap { Int(String(cString: $0)) } ?? 50

    private func track(_ folder: TemporaryFolder, _ epochs: Int) throws -> FileSource {
        let bytes = (0..<epochs).flatMap { ScriptedReceiver.epoch($0) }
        return .file(try folder.file("track.nmea", bytes), speed: .infinity)
    }

    private func locationCount(_ source: FileSource) async -> Int {
        let manager = LocationManager(source: source)
        let stream = manager.didUpdateLocations
        manager.startUpdatingLocation()
        return await countLocations(of: stream)
    }

    @Test func `a file that is read repeatedly gives every location each time`() async throws {
        let folder = try TemporaryFolder()
        let source = try track(folder, 100)
        for _ in 0..<Self.count { #expect(await locationCount(source) == 100) }
    }

    @Test func `a file that is read by many managers gives each of them every location`()
        async throws
    {
        let folder = try TemporaryFolder()
        let source = try track(folder, 100)
        await withTaskGroup(of: Int.self) { group in
            for number in 0..<Self.count {
                if number >= 20, let count = await group.next() { #expect(count == 100) }
                group.addTask { await locationCount(source) }
            }
            for await count in group { #expect(count == 100) }
        }
    }

    @Test func `each iteration of live updates gives every location`() async throws {
        let folder = try TemporaryFolder()
        let updates = Location.liveUpdates(source: try track(folder, 100))
        for _ in 0..<Self.count {
            var count = 0
            for await update in updates where update.location != nil { count += 1 }
            #expect(count == 100)
        }
    }
}

@Suite(.timeLimit(.generous))
struct ReplayPaceTests {
    private let start = MonotonicInstant.now

    /// The seconds after which each chunk's lines are due, if only waiting takes time.
    private func pauses(_ chunks: [String], speed: Double = 1) -> [Double] {
        pauses(of: chunks.map { Array($0.utf8) }, speed: speed)
    }

    private func pauses(of chunks: [[UInt8]], speed: Double = 1) -> [Double] {
        var pace = ReplayPace(speed: speed)
        var now = start
        var pauses: [Double] = []
        for bytes in chunks {
            if let due = pace.due(bytes[...], now: now) {
                pauses.append((due - now) / .seconds(1))
                now = max(now, due)
            }
        }
        return pauses
    }

    private func sentences(_ seconds: Int) -> String {
        String(decoding: ScriptedReceiver.epoch(seconds).prefix { $0 != 0x0A }, as: UTF8.self)
            + "\n"
    }

    @Test func `a recording without times is paced by its epochs`() {
        #expect(pauses([sentences(0), sentences(0), sentences(1), sentences(3)]) == [1, 2])
        #expect(pauses([sentences(0), sentences(1)], speed: 4) == [0.25])
        #expect(pauses([sentences(0), sentences(1)], speed: .infinity) == [])
    }

    @Test func `a sentence in a comment does not pace a recording`() {
        #expect(pauses([sentences(0), "# before: " + sentences(9), sentences(1)]) == [1])
    }

    @Test(arguments: [UInt8(0x20), 0x35, 0x43, 0x61])
    func `UBX messages with a time of week alone pace a recording`(_ number: UInt8) {
        let frames = [0, 0, 1, 3].map { (seconds: UInt32) in
            let time = seconds * 1000 + 157_117_000
            var frame: [UInt8] = [0x01, number, 4, 0]
            frame += (0..<4).map { UInt8(truncatingIfNeeded: time >> (8 * $0)) }
            var (a, b): (UInt8, UInt8) = (0, 0)
            for byte in frame {
                a &+= byte
                b &+= a
            }
            return [0xB5, 0x62] + frame + [a, b]
        }
        #expect(pauses(of: frames) == [1, 2])
    }

    @Test func `a recording with arrival times is paced by them`() {
        let lines = [
            "# gpsbridge recording 1\r\n", "# 2026-03-21T12:00:00.250000Z\r\n", sentences(0),
            // A stutter: two epochs arrive at once.
            "# 2026-03-21T12:00:02.750000Z\r\n", sentences(1),
            "# 2026-03-21T12:00:02.751000Z\r\n", sentences(2),
            "# 2026-03-21T12:00:03.250000Z\r\n", sentences(3),
        ]
        let pauses = pauses(lines)
        #expect(pauses.map { ($0 * 1e6).rounded() } == [2_500_000, 1000, 499_000])
        #expect(self.pauses(lines, speed: 10).first == 0.25)
    }

    @Test func `arrival times are read across chunks and midnight`() {
        let lines = [
            "# 2026-12-31T23:59:59.000000Z\r\n", "# 2027-01-", "01T00:00:01.500000Z\r\n",
            "# 2027-01-01T00:00:02.500000Z", "\r\n", "# 2027-01-01T00:00:03.000000Z\r\n",
        ]
        #expect(pauses(lines) == [2.5, 1, 0.5])
    }

    @Test func `long gaps are shortened, and a clock set back causes none`() {
        let lines = [
            "# 2026-03-21T12:00:00.000000Z\r\n", "# 2026-03-21T18:00:00.000000Z\r\n",
            "# 2026-03-21T12:00:00.000000Z\r\n", "# 2026-03-21T12:00:01.000000Z\r\n",
        ]
        #expect(pauses(lines) == [60, 0, 1])
    }

    @Test(arguments: [
        "# 2026-13-21T12:00:00.000000Z\r\n", "# 2026-03-21T12:00:00.0000000Z\r\n",
        "# 2026-03-21 12:00:00.000000Z\r\n", "# source: 2026\r\n", "#\n", "# lost\r\n",
    ])
    func `other lines are not arrival times`(_ line: String) {
        #expect(pauses(["# 2026-03-21T12:00:00.000000Z\r\n", line]) == [])
    }
}

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

/// A simulated receiver whose time is advanced by a test.
@Suite(.timeLimit(.generous), .repeated)
struct SteppedSimulationTests {
    /// The location of every epoch, if the time advances in these steps of seconds.
    private func fixes(seed: UInt64, steps: [Int]) async -> [Location] {
        let clock = ManualClock()
        var configuration = SimulatedReceiver.Configuration()
        configuration.seed = seed
        configuration.pace = .stepped(by: clock)
        let manager = LocationManager(source: .simulated(configuration))
        let locations = Witness<Location>()
        let subscription = manager.events.didUpdateLocations.subscribe(buffering: .unbounded) {
            all in
            for location in all { locations.note(location) }
        }
        manager.startUpdatingLocation()
        var count = 1
        for step in steps {
            clock.advance(by: .seconds(step))
            count += step
        }
        let all = await locations.first(count)
        subscription.dispose()
        return all
    }

    @Test func `a loop slower than the clock's steps gets every fix`() async throws {
        let clock = ManualClock()
        var configuration = SimulatedReceiver.Configuration()
        configuration.pace = .stepped(by: clock)
        // The receiver waits for the loop for any time that a busy machine takes to start it.
        let manager = LocationManager(
            sources: [.simulated(configuration)], queue: nil,
            member: SessionMember(unreadLimit: .seconds(3600)))
        let (stream, sent) = (manager.didUpdateLocations, Witness<Int>())
        manager.proxy.didUpdateLocations.observe { sent.note($0.count) }
        manager.startUpdatingLocation()
        clock.advance(by: .seconds(1000))
        _ = await sent.first(100)
        var count = 0
        for await locations in stream {
            count += locations.count
            // Without waiting for the reader, the simulation would be far ahead after this time.
            if count == 10 { _ = await Poller.shared.sleep(until: .now + .milliseconds(500)) }
            if count == 1001 { break }
            if stream.droppedCount > 0 { break }
        }
        #expect(stream.droppedCount == 0)
        #expect(count == 1001)
        withExtendedLifetime(clock) {}
    }

    @Test(arguments: [[600], [299, 1, 300], [Int](repeating: 100, count: 6)])
    func `steps of any size give the same fixes, one for every epoch`(
        _ steps: [Int]
    ) async throws {
        let first = await fixes(seed: 7, steps: steps)
        let start = try #require(first.first?.timestamp)
        #expect(first.map { $0.timestamp.timeIntervalSince(start) } == (0...600).map(Double.init))
        let again = await fixes(seed: 7, steps: [600])
        #expect(first.map(\.coordinate) == again.map(\.coordinate))
        #expect(first.map(\.timestamp) == again.map(\.timestamp))
    }
}

/// A pool whose clock stands still until a test advances it.
final class SteppedPool {
    let clock = SteppedClock()
    let poller: Poller
    private let pool: ReceiverPool

    init() {
        poller = Poller(clock: clock)
        pool = ReceiverPool(poller: poller)
    }

    func stop() { poller.stop() }

    /// Advances the clock until a delegate receives the error `locationUnknown`.
    func advance(untilUnknownTo delegate: RecordingDelegate) async {
        while !delegate.calls.all.contains(.failure(.locationUnknown)), !Task.isCancelled {
            clock.advance(by: .seconds(1))
            await Task.yield()
        }
    }

    /// Creates a manager of a receiver that is read on the polling thread.
    func manager(of receiver: ScriptedReceiver, queue: DispatchQueue? = nil) -> LocationManager {
        manager(of: [receiver], queue: queue)
    }

    /// Creates a manager of receivers that are read on the polling thread.
    func manager(of receivers: [ScriptedReceiver], queue: DispatchQueue? = nil) -> LocationManager {
        let sources = receivers.map { receiver in
            var source = receiver.source
            source.poller = poller
            return source
        }
        return LocationManager(sources: sources, queue: queue, member: SessionMember(), pool: pool)
    }
}

extension ManualClock {
    /// Advances the clock at twenty times the speed until the task is cancelled. The polling thread
    /// advances it, and also reads, so that an epoch is read whole.
    func run() -> Task<Void, Never> {
        Task(executorPreference: Poller.shared) {
            while !Task.isCancelled {
                self.advance(by: .seconds(1))
                _ = await Poller.shared.sleep(until: .now + .milliseconds(50))
            }
        }
    }
}
