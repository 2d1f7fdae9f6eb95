// SPDX-License-Identifier: MIT
import GNSS
import GPSConfiguration
import GPSIO
import GPSReceivers
import GPSTestSupport
import Glibc
import SimulatedDevices
import Synchronization
import Testing

/// A receiver on a pseudo terminal that is read while its data is stored and given back. One at a
/// time, because several would delay each other's answers.
@Suite(.timeLimit(.generous), .serialized)
struct WarmStartTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The output and the messages of a run.
    private struct Observed {
        var fixes: [Fix] = []
        var messages: [String] = []
        var transfer: WarmStartTransfer?
        /// The number of bytes that were lost, because they were not read in time.
        var lostCount = 0
    }

    /// Simulates and reads a receiver until `isEnough`.
    private func run(
        _ acquisition: Acquisition = .instant, seed: UInt64 = 1, faults: [Fault] = [],
        isSynchronized: Bool = true, intervals: WarmStart.Intervals = WarmStart.Intervals(),
        until isEnough: @Sendable (Observed) -> Bool
    ) async throws -> Observed {
        var configuration = SimulatedReceiver.Configuration()
        configuration.personality = .ublox10
        configuration.baudRate = BaudRate(rawValue: 115_200)
        configuration.acquisition = acquisition
        configuration.seed = seed
        configuration.faults = FaultScript(faults)
        let links = try TemporaryFolder()
        let terminal = try SimulatedTerminal(configuration, link: links.path("gps"))
        let simulation = Simulation(configuration, outputs: [terminal])
        // The receiver and the product do not wait for the tests' other tasks, which on a busy
        // machine would delay answers.
        let simulating = Task(executorPreference: BackgroundExecutor.shared) {
            try await simulation.run()
        }
        defer { simulating.cancel() }
        let session = ReceiverPool().session(
            for: SerialSource(try #require(terminal.path), baudRate: configuration.baudRate))
        let wakeUp = try WakeUp()
        let observed = Mutex(Observed())
        let updates = session.join { update in
            guard case .epoch(let epoch) = update else { return }
            observed.withLock { observed in
                // Bytes before the receiver is opened do not count.
                if observed.fixes.isEmpty { observed.lostCount = -terminal.droppedByteCount }
                observed.fixes.append(epoch.fix)
            }
            wakeUp.signal()
        }
        let warmStart = WarmStart(
            session, in: JournalFolder(path: folder.path("state")),
            clock: {
                guard isSynchronized, let now = SystemClock.now else { return nil }
                return SynchronizedTime(now, maximumError: 0.01)
            }, intervals: intervals
        ) { message in
            observed.withLock { $0.messages.append(message) }
            wakeUp.signal()
        }
        let running = Task(executorPreference: Poller.shared) { await warmStart.run() }
        while !observed.withLock({ isEnough($0) }), !Task.isCancelled { _ = await wakeUp.wait() }
        running.cancel()
        await running.value
        withExtendedLifetime(updates) {}
        return observed.withLock { observed in
            observed.transfer = warmStart.transfer
            observed.lostCount += terminal.droppedByteCount
            return observed
        }
    }

    /// Reads a receiver until its data is stored. On a busy machine its answers may come too late, and
    /// it is asked again.
    private func store() async throws -> Observed {
        var intervals = WarmStart.Intervals()
        (intervals.first, intervals.next) = (.zero, .seconds(1))
        var observed = Observed()
        // A busy machine may delay fixes or answers so much that nothing is stored: the clock seems to
        // step, or the receiver not to be supported. It may also read so late that bytes are lost.
        for _ in 0..<5 where stored.first?.entries.count != 100 || !isComplete(observed.fixes) {
            for name in Folder.names(in: folder.path("state")) {
                unlink(folder.path("state/\(name)"))
            }
            observed = try await run(intervals: intervals) { observed in
                let state = observed.fixes.last?.integrity?.state
                return stored.first?.entries.count == 100 || state == .alarm || state == .warning
                    || observed.messages.contains { $0.contains("warm start was not sent") }
            }
        }
        return observed
    }

    /// Reads a receiver after a cold start. Repeats this if a busy machine was too slow to report
    /// `text`, to read all fixes, or to read the acknowledgements of `accepting` messages.
    private func restart(
        reporting text: String, accepting count: Int = 0, seed: UInt64 = 1,
        isSynchronized: Bool = true, until isEnough: @Sendable (Observed) -> Bool
    ) async throws -> Observed {
        var observed = Observed()
        for _ in 0..<5
        where !observed.messages.contains(where: { $0.contains(text) })
            || !isComplete(observed.fixes.filter({ $0.time != nil }))
            || (observed.transfer?.acceptedCount ?? 0) < count
        {
            observed = try await run(
                .cold, seed: seed, isSynchronized: isSynchronized, until: isEnough)
        }
        #expect(
            observed.messages.contains { $0.contains(text) }, "\(observed.messages)")
        return observed
    }

    /// The stored data of all receivers.
    private var stored: [WarmStartData] {
        Folder.names(in: folder.path("state")).filter { $0.hasSuffix(".toml") }
            .compactMap { name in
                RegularFile.contents(folder.path("state/\(name)")).flatMap {
                    try? WarmStartData(toml: String(decoding: $0, as: UTF8.self))
                }
            }
    }

    /// Whether an epoch came each second, as the readers of the receiver see it.
    private func isComplete(_ fixes: [Fix]) -> Bool {
        let times = fixes.compactMap { $0.time?.unixNanoseconds }
        return zip(times, times.dropFirst()).allSatisfy { $1 - $0 == 1_000_000_000 }
    }

    @Test func `data stored at the end shortens the receiver's next start`() async throws {
        let first = try await store()
        #expect(isComplete(first.fixes))
        let second = try await restart(reporting: "with stored data", accepting: 51) {
            $0.messages.contains { $0.contains("first fix") }
        }
        // The fix may arrive before the last entries.
        #expect((second.transfer?.acceptedCount ?? 0) > 50, "\(second.messages)")
        #expect(isComplete(second.fixes.filter { $0.time != nil }))
    }

    @Test func `a receiver gets nothing of another one, and nothing without the time`() async throws
    {
        _ = try await store()
        let other = try await restart(reporting: "nothing is stored for this receiver", seed: 2) {
            !$0.messages.isEmpty
        }
        let unset = try await restart(
            reporting: "clock is not synchronised", isSynchronized: false
        ) { !$0.messages.isEmpty }
        #expect(
            other.transfer == nil && unset.transfer == nil
                && stored.allSatisfy { $0.entries.count == 100 })
    }

    @Test func `data is also stored while a receiver is read`() async throws {
        _ = try await store()
        #expect(stored.first?.entries.count == 100)
    }

    @Test func `a receiver without a fix does not delay the end`() async throws {
        let receiver = try ScriptedReceiver()
        // The clock stands still, so no wait for an answer ends.
        let poller = Poller(clock: SteppedClock())
        defer { poller.stop() }
        var source = receiver.source
        source.poller = poller
        let session = ReceiverPool(poller: poller).session(for: source)
        let warmStart = WarmStart(session, in: JournalFolder(path: folder.path("state"))) { _ in }
        let running = Task { await warmStart.run() }
        await receiver.waitForReader()
        running.cancel()
        await running.value
    }

    @Test func `readers lose no epoch while answers are lost`() async throws {
        var observed = Observed()
        // On a busy machine, bytes may be lost, because they are read too late.
        for _ in 0..<5 where observed.fixes.isEmpty || observed.lostCount > 0 {
            observed = try await run(faults: [Fault(.lostAnswers, probability: 0.5)]) {
                $0.fixes.count > 3
            }
        }
        #expect(observed.lostCount == 0 && isComplete(observed.fixes))
    }

    @Test func `a file is whole at every moment of a write`() async throws {
        _ = try await store()
        let data = try #require(stored.first)
        let file = JournalFolder(path: folder.path("state")).warmStart(of: data.receiver)
        let isOver = Atomic(false)
        async let storing: Void = {
            for _ in 0..<20 { #expect(throws: Never.self) { try file.store(data) } }
            isOver.store(true, ordering: .relaxed)
        }()
        while !isOver.load(ordering: .relaxed) {
            #expect(file.load() == data)
            await Task.yield()
        }
        await storing
    }
}
