// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import GPSTestSupport
import Glibc
import Testing

/// Work that handlers on the polling thread defer until the others have run.
@Suite(.timeLimit(.generous))
struct PostponedWorkTests {
    @Test
    func `deferred work of a handler runs after the other handlers and before its own next event`()
        async throws
    {
        let poller = Poller()
        defer { poller.stop() }
        let order = Witness<String>()
        let (first, firstEnd) = try pipe(poller)
        let (second, secondEnd) = try pipe(poller)
        // The handler that is called first gets more to read before the thread polls again.
        let tasks = [("1", first, firstEnd), ("2", second, secondEnd)].map { name, own, end in
            Task {
                await own.read(atMost: 1, until: nil) { _ in
                    order.note(name)
                    guard order.all.count(where: { $0 == name }) < 2 else { return .end }
                    if order.all.count == 1 { _ = end.use { write($0, "x", 1) } }
                    return .later {
                        order.note("rest of \(name)")
                        return .again(until: nil)
                    }
                }
            }
        }
        await until { poller.waiterCount >= 2 }
        #expect(poller.hasSeveralHandlers)
        await writeTogether(to: [firstEnd, secondEnd], poller)
        let events = await order.first(5)
        try #require(events.count == 5)
        let (one, other) = (events[0], events[0] == "1" ? "2" : "1")
        #expect(events == [one, other, "rest of \(one)", one, "rest of \(other)"])
        for end in [firstEnd, secondEnd] { _ = end.use { write($0, "x", 1) } }
        for task in tasks { #expect(await task.value == .bytes([0x78])) }
        #expect(!poller.hasSeveralHandlers)
    }

    @Test func `repeatedly deferred work of a handler runs before its own next event`()
        async throws
    {
        let poller = Poller()
        defer { poller.stop() }
        let (input, output) = try pipe(poller)
        let order = Witness<String>()
        @Sendable func rest(_ number: Int) -> Poller.HandlerResult {
            order.note("rest \(number)")
            return number < 3 ? .later { rest(number + 1) } : .again(until: nil)
        }
        _ = output.use { write($0, "x", 1) }
        let last = await input.read(atMost: 1, until: nil) { _ in
            order.note("handler")
            guard order.all.count == 1 else { return .end }
            _ = output.use { write($0, "y", 1) }
            return .later { rest(1) }
        }
        #expect(last == .bytes([0x79]))
        #expect(order.all == ["handler", "rest 1", "rest 2", "rest 3", "handler"])
    }

    @Test func `deferred work runs although other handlers always have events`() async throws {
        let poller = Poller()
        defer { poller.stop() }
        let (busy, busyEnd) = try pipe(poller)
        let (quiet, quietEnd) = try pipe(poller)
        let (floods, done) = (Witness<Bool>(), Witness<Bool>())
        let flood = Task {
            await busy.read(atMost: 1, until: nil) { _ in
                if floods.all.isEmpty { floods.note(true) }
                _ = busyEnd.use { write($0, "x", 1) }
                return .again(until: nil)
            }
        }
        _ = busyEnd.use { write($0, "x", 1) }
        _ = await floods.first(1)
        _ = quietEnd.use { write($0, "x", 1) }
        let last = await quiet.read(atMost: 1, until: nil) { _ in
            .later {
                done.note(true)
                return .end
            }
        }
        #expect(last == .bytes([0x78]))
        #expect(done.all == [true])
        flood.cancel()
        #expect(await flood.value == .cancelled)
    }

    @Test func `deferred work does not run after the handler's wait has ended`() async throws {
        let poller = Poller()
        defer { poller.stop() }
        let (first, firstEnd) = try pipe(poller)
        let (second, secondEnd) = try pipe(poller)
        let order = Witness<String>()
        let tasks = [(first, second), (second, first)].map { own, other in
            Task {
                await own.read(atMost: 1, until: nil) { _ in
                    order.note("handler")
                    // The second handler to be called ends the wait of the first.
                    if order.all.count == 2 {
                        other.close()
                        return .end
                    }
                    return .later {
                        order.note("rest")
                        return .again(until: nil)
                    }
                }
            }
        }
        await until { poller.waiterCount >= 2 }
        await writeTogether(to: [firstEnd, secondEnd], poller)
        for task in tasks { _ = await task.value }
        for _ in 0..<20 { _ = await poller.sleep(until: poller.now) }
        #expect(order.all == ["handler", "handler"])
    }

    @Test func `a deadline that passes before deferred work is done is not reported`() async throws
    {
        let clock = SteppedClock()
        let poller = Poller(clock: clock)
        defer { poller.stop() }
        let (input, output) = try pipe(poller)
        let start = poller.now
        let delivered = Witness<Readiness>()
        let done = Witness<Bool>()
        let waiting = Task {
            await poller.readable(input, until: start + .seconds(10)) { readiness in
                delivered.note(readiness)
                var byte: UInt8 = 0
                _ = input.use { read($0, &byte, 1) }
                if delivered.all.count > 1 { return .end }
                clock.advance(by: .seconds(20))
                return .later {
                    done.note(true)
                    return .again(until: nil)
                }
            }
        }
        await until { poller.waiterCount > 0 }
        _ = output.use { write($0, "x", 1) }
        _ = await done.first(1)
        for _ in 0..<20 { _ = await poller.sleep(until: poller.now) }
        #expect(delivered.all == [.ready])
        _ = output.use { write($0, "y", 1) }
        #expect(await waiting.value == .ready)
    }
}
