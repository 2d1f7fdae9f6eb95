// SPDX-License-Identifier: MIT
import FoundationEssentials
import GNSS
import GPSBridge
import GPSIO
import GPSReceivers
import GPSTestSupport
import Testing

/// Sessions and managers with a test clock.
@Suite(.timeLimit(.generous))
struct ClockTests {
    /// Advances a clock until an event has been recorded, for any time that a busy machine takes.
    private func advance<T>(_ clock: SteppedClock, until witness: Witness<T>, has count: Int) async
    {
        while witness.all.count < count, !Task.isCancelled {
            clock.advance(by: .seconds(1))
            await Task.yield()
        }
    }

    @Test func `silence is detected by the clock of the pool`() async throws {
        let receiver = try ScriptedReceiver()
        let clock = SteppedClock()
        let poller = Poller(clock: clock)
        defer { poller.stop() }
        let pool = ReceiverPool(poller: poller)
        var source = SerialSource(receiver.path)
        source.poller = poller
        let (opened, unheard) = (Witness<String>(), Witness<Int>())
        let subscription = pool.join(source) { update in
            if let name = update.openedDevice { opened.note(name) }
            if case .notice(.noSentences(let bytes)) = update { unheard.note(bytes) }
        }
        _ = await opened.first(1)
        #expect(unheard.all == [])
        await advance(clock, until: unheard, has: 1)
        #expect(unheard.all == [0])
        withExtendedLifetime(subscription) {}
    }

    @Test func `a request times out by the clock of the pool`() async throws {
        let receiver = try ScriptedReceiver()
        let clock = SteppedClock()
        let poller = Poller(clock: clock)
        defer { poller.stop() }
        var source = SerialSource(receiver.path)
        source.poller = poller
        let manager = LocationManager(
            sources: [source], queue: nil, member: SessionMember(),
            pool: ReceiverPool(poller: poller))
        let codes = Witness<LocationError.Code?>()
        let request = Task {
            do {
                _ = try await manager.requestLocation(timeout: .seconds(3600))
            } catch {
                codes.note((error as? LocationError)?.code)
            }
        }
        await receiver.waitForReader()
        while codes.all.isEmpty, !Task.isCancelled {
            clock.advance(by: .seconds(600))
            await Task.yield()
        }
        #expect(codes.all == [.timedOut])
        await request.value
    }

    /// Runs `body` while a request waits at most ten seconds of the clock for a more accurate fix, or
    /// until `timeout`. The witness notes the HDOP of the result. `next` waits for a location.
    private func requestingAccuracy(
        timeout: Duration,
        _ body: (
            _ receiver: ScriptedReceiver, _ clock: SteppedClock, _ dilutions: Witness<Double?>,
            _ next: () async -> Void
        ) async -> Void
    ) async throws {
        let receiver = try ScriptedReceiver()
        let clock = SteppedClock()
        let poller = Poller(clock: clock)
        defer { poller.stop() }
        var source = receiver.source
        source.poller = poller
        let manager = LocationManager(
            sources: [source], queue: nil, member: SessionMember(),
            pool: ReceiverPool(poller: poller))
        manager.desiredAccuracy = 1
        var updates = manager.didUpdateLocations.makeAsyncIterator()
        let dilutions = Witness<Double?>()
        let request = Task {
            let location = try await manager.requestLocation(
                accuracyTimeout: .seconds(10), timeout: timeout)
            dilutions.note(location.fix.dilution.hdop)
        }
        // The request opens the receiver, so it has begun before the first location.
        await receiver.waitForReader()
        manager.startUpdatingLocation()
        await body(receiver, clock, dilutions) { _ = await updates.next() }
        try await request.value
    }

    @Test func `a request waits a limited time for a more accurate fix`() async throws {
        try await requestingAccuracy(timeout: .seconds(1_000_000)) {
            receiver, clock, dilutions, next in
            await receiver.sendEpoch(0, hdop: 5)
            var second = 0
            while dilutions.all.isEmpty, !Task.isCancelled {
                second += 1
                await receiver.sendEpoch(second, hdop: second.isMultiple(of: 4) ? 3 : 5)
                await next()
                clock.advance(by: .seconds(1))
            }
            #expect(dilutions.all == [3])
            #expect(second >= 10)
        }
    }

    @Test func `a request returns an inaccurate fix if the receiver falls silent`() async throws {
        // The clock does not reach this timeout within the time limit of the test.
        try await requestingAccuracy(timeout: .seconds(1_000_000_000)) {
            receiver, clock, dilutions, next in
            for second in 0..<3 { await receiver.sendEpoch(second, hdop: 5) }
            await next()
            await advance(clock, until: dilutions, has: 1)
            #expect(dilutions.all == [5])
        }
    }

    @Test func `a fix without a date has the date of the pool's clock`() async throws {
        let day = Date(timeIntervalSince1970: 1_700_000_000)
        let pool = ReceiverPool(date: { UTCTime(unixNanoseconds: 1_700_000_000_000_000_000) })
        let sentences = (0..<8).map {
            "$GPGGA,12000\($0).00,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,"
        }
        let source: BytesSource = .sentences(sentences.map { "\($0)*\(Self.checksum($0))" })
        let dates = Witness<Date>()
        let ended = Witness<Void>()
        let subscription = pool.join(source) { update in
            if case .epoch(let epoch) = update, let location = epoch.location {
                dates.note(location.timestamp)
            }
            if case .condition(.ended, _) = update { ended.note(()) }
        }
        _ = await ended.first(1)
        #expect(!dates.all.isEmpty && dates.all.allSatisfy { $0 == day })
        withExtendedLifetime(subscription) {}
    }

    private static func checksum(_ sentence: String) -> String {
        let sum = sentence.utf8.dropFirst().reduce(0, ^)
        return (sum < 16 ? "0" : "") + String(sum, radix: 16, uppercase: true)
    }
}

/// The arrival times of fixes, and the wake-ups of the polling thread.
@Suite(.timeLimit(.generous))
struct ArrivalTests {
    @Test func `a live location has the arrival time of its bytes`() async throws {
        let receiver = try ScriptedReceiver()
        let manager = LocationManager(source: receiver.source)
        let stream = manager.didUpdateLocations
        manager.startUpdatingLocation()
        await receiver.waitForReader()
        var locations = stream.makeAsyncIterator()
        var last: EpochArrival?
        for second in 0..<5 {
            let before = MonotonicInstant.now
            await receiver.sendEpoch(second)
            let location = try #require(await locations.next()?.first)
            let arrival = try #require(location.arrival)
            #expect(before <= arrival.firstByte && arrival.firstByte <= arrival.lastByte)
            #expect(arrival.lastByte <= .now)
            #expect(try #require(location.age) > .zero)
            if let last { #expect(last.lastByte <= arrival.firstByte) }
            last = arrival
        }
    }

    @Test func `a recorded location has no arrival time`() async throws {
        let bytes = (0..<5).flatMap { ScriptedReceiver.epoch($0) }
        let manager = LocationManager(source: .bytes(bytes))
        let location = try await manager.requestLocation()
        #expect(location.arrival == nil && location.age == nil)
    }

    @Test func `with a known cycle ender only bytes wake the thread`()
        async throws
    {
        let receiver = try ScriptedReceiver()
        // The clock stands still, so that no deadline passes on a busy machine.
        let poller = Poller(clock: SteppedClock())
        defer { poller.stop() }
        var source = receiver.source
        source.poller = poller
        let seconds = Witness<Int>()
        let waits = Witness<Duration?>()
        let subscription = ReceiverPool(poller: poller).join(source) { update in
            guard case .epoch(let epoch) = update, let time = epoch.fix.time else { return }
            seconds.note(time.time.second)
            // When this runs on the polling thread, the session waits again.
            Task(executorPreference: poller) {
                waits.note(poller.nextDeadline.map { poller.now.duration(to: $0) })
            }
        }
        await receiver.waitForReader()
        for second in 0..<8 {
            await receiver.sendEpoch(second)
            // The first epochs, whose end is not known yet, end when the next one begins.
            _ = await seconds.first(second < 7 ? second : second + 1)
        }
        // The only deadline is the one after which the receiver counts as silent.
        let wait = try #require(await waits.first(8).last)
        #expect(wait.map { $0 > .seconds(5) } == true)
        await receiver.sendEpoch(8)
        #expect(await seconds.first(9) == Array(0..<9))
        withExtendedLifetime(subscription) {}
    }
}
