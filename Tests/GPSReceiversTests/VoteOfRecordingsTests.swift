// SPDX-License-Identifier: MIT
import Delegation
import GPSReceivers
import GPSTestSupport
import Synchronization
import Testing

/// The flow control of a vote's recordings.
@Suite(.timeLimit(.generous))
struct VoteOfRecordingsTests {
    /// A consumer whose buffer is full after each epoch, until `makeSpace()` is called.
    private final class SlowConsumer: Sendable {
        private struct State {
            var isFull = false
            /// The number of epochs received while the buffer was full.
            var excess = 0
            var greatestExcess = 0
        }

        let member = SessionMember()
        /// For each epoch `false`, and for the end of the source `true`.
        let events = Witness<Bool>()
        private let state = Mutex(State())

        var greatestExcess: Int { state.withLock { $0.greatestExcess } }

        func receive(_ update: ReceiverUpdate) {
            switch update {
            case .epoch:
                // The lock is held until the source is paused, so that `makeSpace()` cannot come
                // between.
                state.withLock { state in
                    state.excess = state.isFull ? state.excess + 1 : 0
                    state.greatestExcess = max(state.greatestExcess, state.excess)
                    if !exchange(&state.isFull, with: true) { member.flow.setFull(true) }
                }
                events.note(false)
            case .condition(let condition, _) where condition.hasEnded: events.note(true)
            case .condition, .notice, .satellites: break
            }
        }

        func makeSpace() {
            state.withLock { state in
                if exchange(&state.isFull, with: false) { member.flow.setFull(false) }
            }
        }
    }

    @Test func `recordings of a vote wait for a slow consumer of the vote`() async {
        let bytes = (0..<50).flatMap { ScriptedReceiver.epoch($0) }
        let source = ConsensusSource(
            ["a", "b"].map { ConsensusSource.Member(BytesSource(bytes), name: $0) })
        let pool = ReceiverPool()
        let consumer = SlowConsumer()
        let subscription = pool.session(for: source).join(as: consumer.member) {
            consumer.receive($0)
        }
        var count = 0
        while !Task.isCancelled, !consumer.events.all.contains(true) {
            count = await consumer.events.first(count + 1).count
            consumer.makeSpace()
        }
        #expect(count > 25)
        // A recording may be in the middle of a line when the buffer becomes full.
        #expect(consumer.greatestExcess <= 3)
        withExtendedLifetime(subscription) {}
    }
}
