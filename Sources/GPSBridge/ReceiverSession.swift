// SPDX-License-Identifier: MIT
package import Delegation
package import Devices
import Synchronization

/// The pipeline of one receiver: source, framer, assembler, fix. It runs while somebody listens.
///
/// All of it is one task on the polling thread: no locks and no hops between a byte and its fix.
/// A receiver that goes away is waited for; a recording that ends is over.
package final class ReceiverSession: Sendable {
    /// The sentences with a right checksum, as sent, without line ends; costs only with observers.
    package let sentences = Event<[UInt8]>()
    /// Where the bytes come from.
    package let source: any DeviceSource

    /// Sent on the polling thread only; the session runs while this has observers.
    private let updates: Event<ReceiverUpdate>
    private let state = Mutex(State())
    private let starter: Starter

    private struct State {
        var run: Task<Void, Never>?
        /// How the receiver is: the last update that told so.
        var condition: ReceiverUpdate?
    }

    /// Lets the interest in updates start and stop a session that is not made yet.
    private final class Starter: Sendable {
        private let session = Mutex<WeakSession>(WeakSession())
        struct WeakSession { weak var value: ReceiverSession? }

        func set(_ new: ReceiverSession) { session.withLock { $0.value = new } }

        func change(_ isWanted: Bool) {
            let session = self.session.withLock { $0.value }
            if isWanted { session?.start() } else { session?.stop() }
        }
    }

    init(_ source: some DeviceSource) {
        self.source = source
        let starter = Starter()
        self.starter = starter
        updates = Event(onInterestChange: { starter.change($0) })
        starter.set(self)
    }

    /// Tells `observer` how the receiver is, if that is known, and then everything that happens, on
    /// the polling thread. The first to join has the receiver opened, the last to leave closed.
    package func join(
        _ observer: @escaping @Sendable (ReceiverUpdate) -> Void
    ) -> ScopedSubscription {
        let place = Mutex<Place>(.awaited)
        // On the polling thread nothing happens between being told and listening.
        Task(executorPreference: Poller.shared) {
            let isWanted = place.withLock { place in
                if case .left = place { false } else { true }
            }
            guard isWanted else { return }
            let subscription = self.updates.subscribe(observer)
            let hasLeft = place.withLock { place in
                if case .left = place { return true }
                place = .taken(subscription)
                return false
            }
            guard !hasLeft else { return subscription.dispose() }
            if let condition = self.state.withLock({ $0.condition }) { observer(condition) }
        }
        return Subscription {
            let subscription = place.withLock { place -> Subscription? in
                defer { place = .left }
                if case .taken(let subscription) = place { return subscription }
                return nil
            }
            subscription?.dispose()
        }.scoped
    }

    private enum Place: Sendable {
        case awaited
        case taken(Subscription)
        case left
    }

    /// Tells everybody, and keeps what those need who join later.
    func tell(_ update: ReceiverUpdate) {
        if update.isCondition { state.withLock { $0.condition = update } }
        updates.send(update)
    }

    private func start() {
        state.withLock { state in
            // What has ended is over, also for those who come later.
            if case .ended = state.condition { return }
            // The one before may still be closing the tty.
            let previous = state.run
            state.run = Task(executorPreference: Poller.shared) {
                await previous?.value
                guard !Task.isCancelled else { return }
                self.state.withLock { $0.condition = nil }
                await self.follow()
            }
        }
    }

    private func stop() {
        state.withLock { state in
            state.run?.cancel()
            if case .ended = state.condition { return }
            state.condition = nil
        }
    }

    // MARK: The life of a receiver

    private func follow() async {
        var pipeline = ReceiverPipeline(source: source, session: self)
        let appearances = source.appearances()
        var backoff = ReopenBackoff()
        while !Task.isCancelled {
            do throws(DeviceError) {
                let connection = try await source.open()
                defer { connection.close() }
                pipeline.opened(connection)
                do throws(DeviceError) {
                    try await pipeline.read(connection)
                    return pipeline.ended(nil)
                } catch {
                    guard error.code != .cancelled else { return }
                    if pipeline.hasRead { backoff = ReopenBackoff() }
                    pipeline.lost(error)
                }
            } catch {
                guard error.code != .cancelled else { return }
                guard appearances != nil else { return pipeline.ended(error) }
                pipeline.unavailable(error)
            }
            await appearances?.next(until: backoff.next(after: pipeline.trouble))
        }
    }
}
