// SPDX-License-Identifier: MIT
package import Delegation
package import Devices
import FoundationEssentials
import GNSS
import Synchronization

/// The pipeline of one receiver: source, framer, assembler, fix. It runs while somebody listens.
///
/// All of it is one task on the polling thread: no locks and no hops between a byte and its fix.
/// A receiver that goes away is waited for; a recording that ends is over.
package final class ReceiverSession: Sendable {
    /// Everything there is to know; the session is open while this has observers.
    package let updates: Event<ReceiverUpdate>
    /// The sentences with a right checksum, as sent, without line ends; costs only with observers.
    package let sentences = Event<[UInt8]>()
    /// Where the bytes come from.
    package let source: any DeviceSource

    private let run: Mutex<Task<Void, Never>?>
    private let starter: Starter

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
        run = Mutex(nil)
        updates = Event(onInterestChange: { starter.change($0) })
        starter.set(self)
    }

    private func start() {
        run.withLock { run in
            // The one before may still be closing the tty.
            let previous = run
            run = Task(executorPreference: Poller.shared) {
                await previous?.value
                guard !Task.isCancelled else { return }
                await self.follow()
            }
        }
    }

    private func stop() {
        run.withLock { $0?.cancel() }
    }

    // MARK: The life of a receiver

    private func follow() async {
        var pipeline = ReceiverPipeline(source: source, updates: updates, sentences: sentences)
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
