// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import GPSTestSupport
import Glibc
import Testing

/// Reading with a handler on the polling thread.
@Suite(.timeLimit(.generous))
struct PollingHandlerTests {
    @Test func `a stopped poller is released although its clock stands still`() async {
        let clock = SteppedClock()
        weak var released: Poller?
        do {
            let poller = Poller(clock: clock)
            released = poller
            let sleeper = Task { await poller.sleep(until: poller.now + .seconds(3600)) }
            await until { clock.sleeperCount == 1 }
            poller.stop()
            #expect(await sleeper.value == .closed)
        }
        await until { released == nil }
        withExtendedLifetime(clock) {}
    }

    @Test func `a handler receives each read on the polling thread before its task resumes`()
        async throws
    {
        let poller = Poller()
        defer { poller.stop() }
        let (input, output) = try pipe(poller)
        let taken = Witness<Descriptor.Input>()
        let threads = Witness<UInt>()
        _ = output.use { write($0, "a", 1) }
        let last = await input.read(atMost: 16, until: nil) { read in
            threads.note(UInt(pthread_self()))
            taken.note(read)
            guard taken.all.count < 3 else { return .end }
            _ = output.use { write($0, "b", 1) }
            return .again(until: nil)
        }
        #expect(taken.all == [.bytes([0x61]), .bytes([0x62]), .bytes([0x62])])
        #expect(last == .bytes([0x62]))
        let thread = await withTaskExecutorPreference(poller) { UInt(pthread_self()) }
        #expect(Set(threads.all) == [thread])
        #expect(poller.waiterCount == 0)
        #expect(poller.armCount == 1)
    }

    @Test func `a handler is called exactly at the deadlines it sets`() async throws {
        let clock = SteppedClock()
        let poller = Poller(clock: clock)
        defer { poller.stop() }
        let (input, output) = try pipe(poller)
        let start = poller.now
        let instants = Witness<MonotonicInstant>()
        // Each byte postpones the deadline; the previous deadline must not fire.
        let reading = Task {
            await input.read(atMost: 1, until: start + .seconds(10)) { read in
                instants.note(poller.now)
                switch (read, instants.all.count) {
                case (.bytes, 1): return .again(until: start + .seconds(30))
                case (.silence, 2): return .again(until: start + .seconds(40))
                case (.silence, 3): return .again(until: nil)
                default: return .end
                }
            }
        }
        await until { poller.waiterCount > 0 }
        _ = output.use { write($0, "x", 1) }
        await until { !instants.all.isEmpty }
        for count in 2...3 {
            while instants.all.count < count {
                clock.advance(by: .seconds(1))
                _ = await poller.sleep(until: poller.now)
            }
        }
        clock.advance(by: .seconds(1000))
        _ = await poller.sleep(until: poller.now)
        #expect(instants.all.count == 3)
        #expect(instants.all[1] >= start + .seconds(30))
        #expect(instants.all[2] >= start + .seconds(40))
        _ = output.use { write($0, "y", 1) }
        #expect(await reading.value == .bytes([0x79]))
    }

    @Test func `an interrupted wait with a handler ends as at its deadline`() async throws {
        let poller = Poller()
        defer { poller.stop() }
        let (input, output) = try pipe(poller)
        poller.interrupt(input)
        for deadline in [nil, MonotonicInstant.after(.seconds(3600))] {
            let reading = Task { await input.read(atMost: 1, until: deadline) { _ in .end } }
            await until { poller.waiterCount > 0 }
            poller.interrupt(input)
            #expect(await reading.value == .silence)
        }
        withExtendedLifetime(output) {}
    }

    @Test
    func `reading with a handler ends when its task is cancelled or its descriptor is closed`()
        async throws
    {
        let poller = Poller()
        defer { poller.stop() }
        for isClosed in [false, true] {
            let (input, output) = try pipe(poller)
            let task = reading(input, holding: Token())
            await until { poller.waiterCount > 0 }
            if isClosed { input.close() } else { task.cancel() }
            #expect(await task.value == .cancelled)
            #expect(poller.waiterCount == 0)
            withExtendedLifetime(output) {}
        }
    }

    @Test func `the handler and its captures are released when reading ends`() async throws {
        let poller = Poller()
        defer { poller.stop() }
        let (input, output) = try pipe(poller)
        let released = Witness<Bool>()
        let task = reading(input, holding: Token { released.note(true) })
        _ = output.use { write($0, "x", 1) }
        await until { poller.waiterCount > 0 }
        task.cancel()
        _ = await task.value
        // The polling thread may be about to release it.
        await until { !released.all.isEmpty }
    }

    @Test func `a handler may close its own descriptor`() async throws {
        let poller = Poller()
        defer { poller.stop() }
        let (input, output) = try pipe(poller)
        let calls = Witness<Descriptor.Input>()
        _ = output.use { write($0, "x", 1) }
        let last = await input.read(atMost: 1, until: nil) { read in
            calls.note(read)
            input.close()
            return .again(until: nil)
        }
        #expect(last == .cancelled)
        #expect(calls.all == [.bytes([0x78])])
    }

    @Test func `a handler is not called after another handler has stopped its reading`()
        async throws
    {
        let poller = Poller()
        defer { poller.stop() }
        let (first, firstEnd) = try pipe(poller)
        let (second, secondEnd) = try pipe(poller)
        let calls = Witness<Int>()
        let tasks = [(1, first, second), (2, second, first)].map { number, own, other in
            Task {
                await own.read(atMost: 1, until: nil) { _ in
                    calls.note(number)
                    other.close()
                    return .end
                }
            }
        }
        await until { poller.waiterCount >= 2 }
        await writeTogether(to: [firstEnd, secondEnd], poller)
        var outcomes: [Descriptor.Input] = []
        for task in tasks { outcomes.append(await task.value) }
        #expect(outcomes.count { $0 == .bytes([0x78]) } == 1)
        #expect(outcomes.count { $0 == .cancelled } == 1)
        #expect(calls.all.count == 1)
    }

    @Test func `the end of the last writer is reported after its bytes`() async throws {
        let (input, output) = try pipe()
        _ = output.use { write($0, "x", 1) }
        output.close()
        let taken = Witness<Descriptor.Input>()
        let last = await input.read(atMost: 16, until: nil) { read in
            taken.note(read)
            guard case .bytes = read else { return .end }
            return .again(until: nil)
        }
        #expect(taken.all == [.bytes([0x78]), .end])
        #expect(last == .end)
    }

    @Test func `a regular file is read to its end by a handler`() async throws {
        let folder = try TemporaryFolder()
        let bytes = [UInt8]((0..<10_000).map { UInt8(truncatingIfNeeded: $0) })
        let file = Descriptor(open(try folder.file("bytes", bytes), O_RDONLY | O_CLOEXEC))
        let taken = Witness<[UInt8]>()
        let last = await file.read(atMost: 4096, until: nil) { read in
            guard case .bytes(let part) = read else { return .end }
            taken.note(part)
            return .again(until: nil)
        }
        #expect(last == .end)
        #expect(taken.all.flatMap(\.self) == bytes)
    }

    @Test(arguments: ["at once", "by deferred work"])
    func `an unchanged deadline of a handler is reported again`(when: String) async throws {
        let poller = Poller()
        defer { poller.stop() }
        let (input, output) = try pipe(poller)
        let delivered = Witness<Readiness>()
        let last = await poller.readable(input, until: .now) { readiness in
            delivered.note(readiness)
            let next: Poller.HandlerResult = delivered.all.count < 3 ? .unchanged : .end
            return when == "at once" ? next : .later { next }
        }
        #expect(delivered.all == [.timedOut, .timedOut, .timedOut])
        #expect(last == .timedOut)
        withExtendedLifetime(output) {}
    }

    @Test(arguments: ["/dev/zero", "a pipe"])
    func `a flood does not starve other tasks of the poller`(of kind: String) async throws {
        let poller = Poller()
        defer { poller.stop() }
        let (reader, writer) = try pipe(poller)
        let flooded =
            kind == "a pipe"
            ? reader : Descriptor(open(kind, O_RDONLY | O_CLOEXEC), poller: poller)
        let block = [UInt8](repeating: 0, count: 8192)
        _ = writer.use { write($0, block, block.count) }
        let flood = Task(executorPreference: poller) {
            await flooded.read(atMost: 4096, until: nil) { _ in
                _ = writer.use { write($0, block, 4096) }
                return .again(until: nil)
            }
        }
        for _ in 0..<100 { await Task(executorPreference: poller) {}.value }
        flood.cancel()
        #expect(await flood.value == .cancelled)
    }

    @Test func `a handler reads beside a task that waits to write`() async throws {
        let poller = Poller()
        defer { poller.stop() }
        var ends: [CInt] = [-1, -1]
        let type = CInt(SOCK_STREAM.rawValue) | O_NONBLOCK | O_CLOEXEC
        #expect(socketpair(AF_UNIX, type, 0, &ends) == 0)
        let near = Descriptor(ends[0], poller: poller)
        let far = Descriptor(ends[1], poller: poller)
        let block = [UInt8](repeating: 0, count: 65_536)
        while near.use({ write($0, block, block.count) }) ?? 0 > 0 {}
        let taken = Witness<Descriptor.Input>()
        let reading = Task {
            await near.read(atMost: 1, until: nil) { input in
                taken.note(input)
                return taken.all.count < 20 ? .again(until: nil) : .end
            }
        }
        let writing = Task { await near.writable() }
        await until { poller.waiterCount >= 2 }
        for count in 1...20 {
            _ = far.use { write($0, "x", 1) }
            _ = await taken.first(count)
            // Half-way through there is room to write.
            guard count == 10 else { continue }
            while case .bytes = await far.read(atMost: 65_536, until: .now) {}
            #expect(await writing.value == .ready)
        }
        #expect(await reading.value == .bytes([0x78]))
    }

    @Test func `no task of a stopped poller runs beside a handler`() async throws {
        for _ in 0..<50 {
            let poller = Poller()
            let (input, output) = try pipe(poller)
            let order = Witness<String>()
            let cancel = Witness<@Sendable () -> Void>()
            let task = Task(executorPreference: poller) {
                _ = await input.read(atMost: 1, until: nil) { _ in
                    poller.stop()
                    for cancel in cancel.all { cancel() }
                    for _ in 0..<1000 { sched_yield() }
                    order.note("handler")
                    return .again(until: nil)
                }
                order.note("task")
            }
            cancel.note { task.cancel() }
            await until { poller.waiterCount > 0 }
            _ = output.use { write($0, "x", 1) }
            await task.value
            #expect(order.all == ["handler", "task"])
        }
    }

    private final class Token: Sendable {
        private let whenReleased: @Sendable () -> Void
        init(_ whenReleased: @escaping @Sendable () -> Void = {}) {
            self.whenReleased = whenReleased
        }
        deinit { whenReleased() }
    }

    private func reading(_ input: Descriptor, holding token: Token) -> Task<Descriptor.Input, Never>
    {
        Task {
            await input.read(atMost: 16, until: nil) { _ in
                withExtendedLifetime(token) { .again(until: nil) }
            }
        }
    }
}
