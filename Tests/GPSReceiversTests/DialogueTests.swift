// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import GPSReceivers
import GPSTestSupport
import GPSTestTraits
import Glibc
import Synchronization
import Testing

/// Requests to a receiver while others read it.
@Suite(.timeLimit(.generous))
struct DialogueTests {
    /// A dialogue that lasts until the next bytes come.
    private struct ShortDialogue: LineDialogue {
        let active: Counter
        private var isOver = false

        init(_ active: Counter) { self.active = active }

        var wakeAt: MonotonicInstant? { nil }

        mutating func receive(_ event: LineDialogueEvent, at now: MonotonicInstant) {
            switch event {
            case .opened: active.begin()
            case .bytes where !isOver:
                isOver = true
                active.end()
            default: break
            }
        }

        mutating func next(at now: MonotonicInstant) -> LineDialogueAction? {
            isOver ? .finish : nil
        }
    }

    /// A dialogue that lasts until the next bytes come, and records its beginnings and its end.
    private struct RecordedDialogue: LineDialogue {
        let name: String
        let record: Witness<String>
        private var isOver = false

        init(_ name: String, _ record: Witness<String>) {
            (self.name, self.record) = (name, record)
        }

        var wakeAt: MonotonicInstant? { nil }

        mutating func receive(_ event: LineDialogueEvent, at now: MonotonicInstant) {
            switch event {
            case .opened: record.note("\(name) begins")
            case .bytes where !isOver:
                isOver = true
                record.note("\(name) ends")
            default: break
            }
        }

        mutating func next(at now: MonotonicInstant) -> LineDialogueAction? {
            isOver ? .finish : nil
        }
    }

    /// A dialogue that ends as soon as it has begun.
    private struct EmptyDialogue: LineDialogue {
        let hasChangedReceiver: Bool
        private var isOver = false

        init(hasChangedReceiver: Bool) { self.hasChangedReceiver = hasChangedReceiver }

        var wakeAt: MonotonicInstant? { nil }

        mutating func receive(_ event: LineDialogueEvent, at now: MonotonicInstant) {
            if case .opened = event { isOver = true }
        }

        mutating func next(at now: MonotonicInstant) -> LineDialogueAction? {
            isOver ? .finish : nil
        }
    }

    /// Counts dialogues at the same time.
    private final class Counter: Sendable {
        private let state = Mutex((now: 0, most: 0, all: 0))

        var most: Int { state.withLock { $0.most } }
        var all: Int { state.withLock { $0.all } }

        func begin() {
            state.withLock { state in
                state.now += 1
                state.all += 1
                state.most = max(state.most, state.now)
            }
        }

        func end() { state.withLock { $0.now -= 1 } }
    }

    @Test func `a receiver has one dialogue at a time`() async throws {
        let receiver = try ScriptedReceiver()
        let session = ReceiverPool().session(
            for: SerialSource(receiver.path, baudRate: .default))
        let counter = Counter()
        try await receiver.sendEpochs {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<5 {
                    group.addTask { _ = try await session.conduct(ShortDialogue(counter)) }
                }
                try await group.waitForAll()
            }
        }
        #expect(counter.all == 5 && counter.most == 1)
    }

    @Test func `a receiver that returns in the middle of another dialogue waits for its end`()
        async throws
    {
        let folder = try TemporaryFolder()
        let (links, pool) = ([folder.path("one"), folder.path("two")], ReceiverPool())
        let sessions = links.map { pool.session(for: SerialSource($0, baudRate: .default)) }
        let record = Witness<String>()
        let openings = Witness<Bool>()
        let joined = sessions[0].join { update in
            switch update {
            case .condition(.open(_, nil), let former) where !former.isOpen: openings.note(true)
            case .condition(.lost, _): openings.note(false)
            default: break
            }
        }
        /// Plugs a receiver in, and starts a dialogue with it.
        func begin(_ number: Int) async throws -> (ScriptedReceiver, Task<Void, any Error>) {
            let receiver = try ScriptedReceiver(link: links[number])
            let session = sessions[number]
            let subscription = session.join { _ in }
            await receiver.waitForReader()
            await receiver.sendEpoch(1)
            await until { session.knownBaudRate != nil }
            let dialogue = Task {
                _ = try await session.conduct(RecordedDialogue("\(number)", record))
            }
            _ = await record.first(number + 1)
            withExtendedLifetime(subscription) {}
            return (receiver, dialogue)
        }
        let (first, dialogue) = try await begin(0)
        first.unplug()
        #expect(await openings.first(2) == [true, false])
        let (second, other) = try await begin(1)
        // The first receiver's link now leads to the second receiver, which the second session has.
        #expect(symlink(links[1], links[0]) == 0)
        #expect(await openings.first(3) == [true, false, true])
        for _ in 0..<20 { _ = await Poller.shared.sleep(until: .now) }
        try await second.sendEpochs {
            try await other.value
            try await dialogue.value
        }
        #expect(record.all == ["0 begins", "1 begins", "1 ends", "0 begins", "0 ends"])
        withExtendedLifetime(joined) {}
    }

    // Undelayed, because the comparison depends on the time between the epochs.
    @Test(.undelayed, arguments: [false, true])
    func `data is not compared with that before a dialogue that has changed the receiver`(
        hasChanged: Bool
    ) async throws {
        let receiver = try ScriptedReceiver()
        let session = ReceiverPool().session(for: receiver.source)
        let fixes = Witness<Fix>()
        let joined = session.join { if case .epoch(let epoch) = $0 { fixes.note(epoch.fix) } }
        await receiver.waitForReader()
        for second in 640..<650 { await receiver.sendEpoch(second) }
        await fixes.wait { $0.time?.time.second == 49 }
        _ = try await session.conduct(EmptyDialogue(hasChangedReceiver: hasChanged))
        // The receiver's time goes back.
        for second in 600..<610 { await receiver.sendEpoch(second) }
        await fixes.wait { $0.time?.time.second == 5 }
        #expect(fixes.all.contains { $0.integrity?.state == .alarm } == !hasChanged)
        withExtendedLifetime(joined) {}
    }

    @Test func `a source that has ended without an error can't be configured`() async {
        let session = ReceiverPool().session(for: .bytes([]))
        let ends = Witness<Bool>()
        let joined = session.join { if case .condition(.ended, _) = $0 { ends.note(true) } }
        _ = await ends.first(1)
        await #expect(throws: DeviceError(.notControllable, device: "bytes")) {
            _ = try await session.conduct(ShortDialogue(Counter()))
        }
        withExtendedLifetime(joined) {}
    }
}

/// The baud rate search of a receiver whose line a dialogue uses.
@Suite(.timeLimit(.generous))
struct HeldRateTests {
    /// A receiver, and the rates that it has requested.
    private final class Run {
        private var receiver: Receiver
        private var now = MonotonicInstant.now
        private(set) var rates: [BaudRate] = []
        var knownBaudRate: BaudRate? { receiver.knownBaudRate }

        init(_ rates: [BaudRate]) {
            receiver = Receiver(canWait: false, at: now)
            var opening = Receiver.Opening(
                device: "gps", origin: OriginDetector(origin: .live, mayBeOld: false))
            opening.isSerialLine = true
            opening.search = RateSearch(rates: rates)
            receive(.opened(opening))
        }

        func receive(_ input: consuming Receiver.Input) {
            receiver.receive(input, at: now, date: nil)
            while let output = receiver.next() {
                if case .set(let settings) = output { rates.append(settings.baudRate) }
            }
        }

        /// Receives two bursts without a message. They rule out a rate.
        func receiveNoise() {
            for _ in 0..<2 {
                receive(.bytes([UInt8](repeating: 0xF8, count: 300)))
                let end = now + .milliseconds(100)
                while let wake = receiver.wakeAt, wake <= end {
                    now = max(now, wake)
                    receive(.woke)
                }
                now = end
            }
        }
    }

    @Test func `no rate is tried during a dialogue, and the search continues at its last rate`()
        throws
    {
        let rates = try [9600, 4800, 38_400].map { try #require(BaudRate(rawValue: $0)) }
        let run = Run(rates)
        run.receive(.dialogue(isActive: true))
        run.receiveNoise()
        run.receive(.changed(rates[2]))
        #expect(run.knownBaudRate == nil)
        run.receive(.bytes(ScriptedReceiver.epoch(0)))
        #expect(run.knownBaudRate == rates[2])
        run.receive(.changed(rates[1]))
        run.receiveNoise()
        #expect(run.knownBaudRate == nil)
        #expect(run.rates == [])
        run.receive(.dialogue(isActive: false))
        run.receiveNoise()
        // The rate that was correct before the last change is tried first.
        #expect(run.rates == [rates[2]])
    }
}
