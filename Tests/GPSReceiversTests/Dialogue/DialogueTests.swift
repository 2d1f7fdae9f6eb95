// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import GPSReceivers
import GPSTestSupport
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

    @Test func `a dialogue with a source that has ended fails with the source's name`() async {
        let session = ReceiverPool().session(for: .bytes([]))
        let ends = Witness<Bool>()
        let joined = session.join { if case .condition(.ended, _) = $0 { ends.note(true) } }
        _ = await ends.first(1)
        await #expect(throws: DeviceError(.ended, device: "bytes")) {
            _ = try await session.conduct(ShortDialogue(Counter()))
        }
        withExtendedLifetime(joined) {}
    }
}
