// SPDX-License-Identifier: MIT
import Devices
import Glibc
import Synchronization
import TestSupport
import Testing

/// Reading by a handler on the polling thread.
@Suite(.timeLimit(.generous))
struct PollingHandlerTests {
    @Test func `a handler takes each read on the polling thread, and then its task resumes`()
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
        #expect(poller.armingCount == 1)
    }

    @Test func `a handler is called at each deadline it sets, and at no other`() async throws {
        let clock = SteppedClock()
        let poller = Poller(clock: clock)
        defer { poller.stop() }
        let (input, output) = try pipe(poller)
        let start = poller.now
        let instants = Witness<MonotonicInstant>()
        // Each byte puts the deadline off; the one before it must not count.
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
        while poller.waiterCount == 0 { await Task.yield() }
        _ = output.use { write($0, "x", 1) }
        while instants.all.count < 1 { await Task.yield() }
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

    @Test func `reading with a handler ends when its task is cancelled, or its descriptor closed`()
        async throws
    {
        let poller = Poller()
        defer { poller.stop() }
        for isClosed in [false, true] {
            let (input, output) = try pipe(poller)
            let token = Token()
            weak let held = token
            let task = reading(input, holding: token)
            while poller.waiterCount == 0 { await Task.yield() }
            if isClosed { input.close() } else { task.cancel() }
            #expect(await task.value == .cancelled)
            #expect(poller.waiterCount == 0)
            withExtendedLifetime((output, held)) {}
        }
    }

    @Test func `what a handler holds is released when the reading is over`() async throws {
        let poller = Poller()
        defer { poller.stop() }
        let (input, output) = try pipe(poller)
        let released = Witness<Bool>()
        let task = reading(input, holding: Token { released.note(true) })
        _ = output.use { write($0, "x", 1) }
        while poller.waiterCount == 0 { await Task.yield() }
        task.cancel()
        _ = await task.value
        // The polling thread may be about to let go of it.
        while released.all.isEmpty { await Task.yield() }
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

    @Test func `a handler that stops another's reading is not followed by that one's`() async throws
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
        while poller.waiterCount < 2 { await Task.yield() }
        // Both are ready when the thread looks.
        await withTaskExecutorPreference(poller) {
            for end in [firstEnd, secondEnd] { _ = end.use { write($0, "x", 1) } }
        }
        var outcomes: [Descriptor.Input] = []
        for task in tasks { outcomes.append(await task.value) }
        #expect(outcomes.count { $0 == .bytes([0x78]) } == 1)
        #expect(outcomes.count { $0 == .cancelled } == 1)
        #expect(calls.all.count == 1)
    }

    @Test func `the last writer's end is told behind what it has written`() async throws {
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

    @Test func `a flood leaves other tasks of the poller their turn`() async throws {
        let poller = Poller()
        defer { poller.stop() }
        let zero = Descriptor(open("/dev/zero", O_RDONLY | O_CLOEXEC), poller: poller)
        let flood = Task(executorPreference: poller) {
            await zero.read(atMost: 4096, until: nil) { _ in .again(until: nil) }
        }
        for _ in 0..<100 { await Task(executorPreference: poller) {}.value }
        flood.cancel()
        #expect(await flood.value == .cancelled)
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

/// A pipe, both ends non-blocking.
private func pipe(_ poller: Poller = .shared) throws -> (Descriptor, Descriptor) {
    let pipe = try Pipe(O_NONBLOCK)
    return (Descriptor(pipe.reader, poller: poller), Descriptor(pipe.writer, poller: poller))
}
